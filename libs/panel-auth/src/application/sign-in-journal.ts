import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { SecretText } from '#kernel/crypto/secret-text';
import { Transactions } from '#kernel/transactions';
import { SignInRefused } from '../domain/panel-auth-errors.js';
import { AuditLog } from './audit-log.js';
import { SignInLedger } from './ports/session-repository.js';
import type { RecalledSignIn } from './sign-in-cookies.js';

/** Records which sign-ins came back, and why some were refused. */
@Injectable()
export class SignInJournal {
  constructor(
    private readonly ledger: SignInLedger,
    private readonly audit: AuditLog,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** @throws SignInRefused if the sign-in has come back before */
  async useUp({ checks, expiresAt }: RecalledSignIn): Promise<void> {
    const stateSha256 = new SecretText(checks.state).sha256();
    if (!(await this.ledger.consume(stateSha256, expiresAt))) throw new SignInRefused('callback-replayed');
  }

  async refused({ reason }: SignInRefused): Promise<void> {
    const actor = { userId: null, apiKeyId: null };
    const entry = { action: 'sign_in.refused', actor, organisationId: null, target: null, detail: { reason } } as const;
    await this.transactions.run(() => this.audit.record(entry));
  }

  /** @returns how many records of expired sign-ins were deleted */
  sweep(): Promise<number> {
    return this.transactions.run(() => this.ledger.deleteExpired(this.clock.now()));
  }
}

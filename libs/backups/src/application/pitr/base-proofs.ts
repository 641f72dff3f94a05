import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope } from '#libs/services';
import type { Backup } from '../../domain/backup.js';
import { reasonToSkipProof } from '../../domain/backup-policy.js';
import type { Inventory } from '../../domain/inventory.js';
import { TrialImpossible, TrialServers } from '../backing-up/trial-servers.js';
import { BackupJournal } from '../backup-journal.js';
import { Policies } from '../policies.js';
import { WalRepository } from '../ports/wal-repository.js';
import { BackupSettings } from '../settings.js';
import { BaseCopies } from './base-copies.js';
import { DatabaseLogs } from './database-logs.js';
import { PointInTime } from './point-in-time.js';

/** Verifies base backups: each is restored into a trial server with the log after it, by the code of a real restore. */
@Injectable()
export class BaseProofs {
  constructor(
    private readonly journal: BackupJournal,
    private readonly streams: WalRepository,
    private readonly history: PointInTime,
    private readonly trials: TrialServers,
    private readonly logs: DatabaseLogs,
    private readonly copies: BaseCopies,
    private readonly policies: Policies,
    private readonly settings: BackupSettings,
  ) {}

  /** Asks for the trial of each new copy, once log was shipped after it: a copy alone is not consistent. */
  async ask(serviceId: Uuid): Promise<void> {
    const bases = await this.streams.bases(serviceId);
    const proofs = bases.flatMap(({ verifiedAt }) => (verifiedAt ? [verifiedAt.getTime()] : []));
    const lastProofAt = proofs.length === 0 ? null : new Date(Math.max(...proofs));
    for (const { id } of bases.filter(({ proof }) => proof === null)) await this.askFor(id, lastProofAt);
  }

  /** @throws TrialImpossible; BackupFailed and others when it cannot be restored */
  async prove(backup: Backup, signal: AbortSignal): Promise<Inventory> {
    const { serviceId, origin } = backup.state;
    const found = await this.history.newest(serviceId, backup.id, origin.template);
    if (!found) throw new TrialImpossible('No log was shipped after it that it could be tried with.');
    const { proofMaxBytes } = this.settings;
    if (found.bytes > proofMaxBytes)
      throw new TrialImpossible(`With its log it is larger than the ${proofMaxBytes} bytes that are verified here.`);
    return this.trials.use(backup, signal, async (target) => {
      const log = this.logs.of(target);
      await log.recover(target, found.history, signal);
      return log.inspect(target, signal);
    });
  }

  /** Called when a trial is over. A failed trial raises an alarm, and another copy is taken. */
  async concluded({ id, state: { serviceId, verification } }: Backup): Promise<void> {
    if (verification?.status === 'failed')
      await this.copies.distrust(serviceId, `It could not be restored in a trial. ${verification.errorMessage ?? ''}`);
    if (verification?.status === 'verified' || verification?.status === 'skipped')
      await this.copies.trust(serviceId, id);
  }

  private async askFor(id: Uuid, lastProofAt: Date | null): Promise<void> {
    const { backups, transactions } = this.journal;
    const found = await backups.get(OrganisationScope.all, id);
    const { serviceId, origin } = found?.state ?? {};
    if (!serviceId || !origin || !(await this.history.newest(serviceId, id, origin.template))) return;
    const { verify } = await this.policies.of(serviceId);
    const reason = reasonToSkipProof(verify, lastProofAt, await this.journal.time.shared());
    const asked = await transactions.run(async () => {
      const backup = await backups.getForUpdate(OrganisationScope.all, id);
      if (backup?.state.status !== 'succeeded' || backup.state.verification !== null) return null;
      if (reason === null) backup.askForProof();
      else backup.skipProof(reason);
      await this.journal.update(backup);
      return backup;
    });
    if (asked) await this.concluded(asked);
  }
}

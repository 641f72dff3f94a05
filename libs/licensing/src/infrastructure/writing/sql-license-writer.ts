import { Injectable } from '@nestjs/common';
import { LateFacts } from '#libs/billing';
import { PartnerTree } from '#libs/partners';
import { ProcessPresence } from '#platform/database/connections/process-presence';
import { isIncomplete } from '#platform/database/database-errors';
import type { SetStatement } from '#platform/database/batching/set-statement';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { JoinedCall } from '../../application/ports/license-service.js';
import type { PendingChange } from '../../application/ports/license-repository.js';
import { LicenseWriter } from '../../application/ports/license-writer.js';
import type { NumberedReservation, Reservation, Reserved } from '../../application/ports/reservation-repository.js';
import type { LicenseChange, LicenseRecord, NewLicense } from '../../domain/license.js';
import { firstChangedDay } from '../../domain/ownership.js';
import { ANNOUNCE } from './announce-statement.js';
import { COMPLETE, WRITE } from './change-statement.js';
import { GroupCommit } from './group-commit.js';
import { ACTIVATE, ISSUE, RESERVE } from './issue-statement.js';
import { JoinedStatement } from './joined-statement.js';
import {
  WriteRefused,
  type ChangedFacts,
  type LicenseWrite,
  type WritePart,
  type WrittenRow,
} from './license-write.js';

@Injectable()
export class SqlLicenseWriter extends LicenseWriter {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly tree: PartnerTree,
    private readonly lateFacts: LateFacts,
    private readonly presence: ProcessPresence,
    private readonly groups: GroupCommit,
  ) {
    super();
  }

  async issue(license: NewLicense, call: JoinedCall): Promise<number | null> {
    const row = { ...license, attemptId: null, process: this.presence.id };
    const written = await this.commit({
      locksTree: true,
      parts: [part(ISSUE, row), joined(call)],
      facts: factsOf(license.record, license),
    });
    return written && Number(written.number);
  }

  async reserve(reservation: Reservation): Promise<NumberedReservation | null> {
    const row = { ...reservation, process: this.presence.id };
    const written = await this.commit({ locksTree: false, parts: [part(RESERVE, row)], facts: null });
    return written && { ...reservation, number: Number(written.number) };
  }

  async activate({ attemptId }: Reserved, license: NewLicense): Promise<boolean> {
    const row = { ...license, attemptId, process: this.presence.id };
    const facts = factsOf(license.record, license);
    return (await this.commit({ locksTree: true, parts: [part(ACTIVATE, row)], facts })) !== null;
  }

  async write(change: LicenseChange, call: JoinedCall | null): Promise<boolean> {
    const more = call ? [joined(call)] : [];
    const facts = factsOf(change.before, change);
    return (await this.commit({ locksTree: false, parts: [part(WRITE, change), ...more], facts })) !== null;
  }

  async announce(before: LicenseRecord, pending: PendingChange): Promise<boolean> {
    const row = { ...pending, knownLength: before.ledger.length, process: this.presence.id };
    return (await this.commit({ locksTree: false, parts: [part(ANNOUNCE, row)], facts: null })) !== null;
  }

  async complete(change: LicenseChange, { changeId }: PendingChange): Promise<boolean> {
    const parts: LicenseWrite['parts'] = [part(COMPLETE, { ...change, changeId })];
    const facts = factsOf(change.before, change);
    return (await this.commit({ locksTree: false, parts, facts })) !== null;
  }

  /** Null if the write is refused. */
  private async commit(write: LicenseWrite): Promise<WrittenRow | null> {
    if (this.transactions.isOpen) return this.send(write);
    return (await this.groups.commit(write)) ?? this.alone(write);
  }

  private async alone(write: LicenseWrite): Promise<WrittenRow | null> {
    try {
      return await this.transactions.run(async () => {
        const answer = await this.send(write);
        if (write.facts) await this.lateFacts.changed(write.facts.partnerIds, write.facts.from);
        return answer;
      });
    } catch (error) {
      if (error instanceof WriteRefused) return null;
      throw error;
    }
  }

  /** @throws WriteRefused */
  private async send({ locksTree, parts }: LicenseWrite): Promise<WrittenRow> {
    if (locksTree) await this.tree.lockTreeForShare();
    const answers: WrittenRow[] = [];
    for (const { statement, question, refusal } of parts) {
      const rows = await this.transactions.ask<WrittenRow, unknown>(statement, question).catch((error: unknown) => {
        throw isIncomplete(error) ? (refusal?.() ?? new WriteRefused()) : error;
      });
      answers.push(rows[0] ?? {});
    }
    return answers[0] ?? {};
  }
}

function part<Q>(statement: SetStatement<Q>, question: Q): WritePart {
  return { statement, question, refusal: null };
}

function joined(call: JoinedCall): WritePart {
  if (!(call instanceof JoinedStatement)) throw new Error('the call cannot join our transaction');
  return call;
}

function factsOf(
  { partnerId }: { partnerId: ChangedFacts['partnerIds'][number] },
  { ownership }: Pick<LicenseChange, 'ownership'>,
): ChangedFacts | null {
  return ownership && { partnerIds: [partnerId], from: firstChangedDay(ownership) };
}

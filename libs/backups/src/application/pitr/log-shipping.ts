import { Injectable } from '@nestjs/common';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import { Clock } from '#kernel/time/clock';
import { Transactions } from '#kernel/transactions';
import { OrganisationScope, ServiceFeed } from '#libs/services';
import { BackupFailed } from '../../domain/backup-errors.js';
import { missingSegment, segmentAfter, SEGMENT_BYTES } from '../../domain/pitr/wal-segment.js';
import { DatabaseServices } from '../database-services.js';
import { failureText } from '../failure-text.js';
import type { DatabaseTarget } from '../programs/database-target.js';
import { WalRepository, type WalStream } from '../ports/wal-repository.js';
import { PostgresqlLog } from './postgresql-log.js';
import { baseKey, segmentKey, StoredLog } from './stored-log.js';

const PITR_TEMPLATE = 'postgresql';
/** A clock that is set back by less is being adjusted. */
const CLOCK_MS = 1_000;
/** A log that cannot be shipped must not fill the disk of the database. */
const FULL_PERCENT = 90;

/** Brings the log of databases into the store, as far as it has come: whoever asks next finds it there. */
@Injectable()
export class LogShipping {
  constructor(
    private readonly streams: WalRepository,
    private readonly services: DatabaseServices,
    private readonly log: PostgresqlLog,
    private readonly stored: StoredLog,
    private readonly feed: ServiceFeed,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** @returns false when another worker is at it */
  ship(serviceId: Uuid, signal: AbortSignal): Promise<boolean> {
    return this.streams.exclusively(serviceId, async () => {
      const stream = (await this.streams.stream(serviceId)) ?? (await this.begin(serviceId, signal));
      if (!stream || (await this.isAtRest(serviceId))) return;
      try {
        const target = await this.services.target(serviceId, signal);
        const whole = stream.needsBase ? await this.beginAnew(stream, target, signal) : stream;
        await this.advance(whole, target, signal);
      } catch (error) {
        if (!signal.aborted) await this.notShipped(stream, error, signal);
        throw error;
      }
    });
  }

  /** The log is wanted no more. What was shipped stays until its time is over. */
  stop(serviceId: Uuid, signal: AbortSignal): Promise<boolean> {
    return this.streams.exclusively(serviceId, async () => {
      const target = await this.services.target(serviceId, signal).catch(() => null);
      if (target) await this.log.switchOff(target, signal);
      await this.streams.remove(serviceId);
    });
  }

  /** A new copy of all files: from then on less of the log has to be played. */
  async addBase(serviceId: Uuid, signal: AbortSignal): Promise<void> {
    const stream = await this.streams.stream(serviceId);
    if (stream) await this.copyFiles(stream, await this.services.target(serviceId, signal), signal);
  }

  /** Nothing is written then, and nobody need be alarmed. What is left of the log is shipped when it runs again. */
  private async isAtRest(serviceId: Uuid): Promise<boolean> {
    const { view } = await this.services.find(OrganisationScope.all, serviceId);
    return view.status === 'stopped' || view.status === 'suspended';
  }

  private async begin(serviceId: Uuid, signal: AbortSignal): Promise<WalStream | null> {
    signal.throwIfAborted();
    const { view, template } = await this.services.find(OrganisationScope.all, serviceId);
    if (template.slug !== PITR_TEMPLATE) return null;
    const nothing = { nextSegment: null, quietXid: null, reachesTo: null, problem: null, needsBase: true };
    return { serviceId, customerId: view.customerId, ...nothing };
  }

  /** After a gap too: the log before it is of use only for moments before it. */
  private async beginAnew(stream: WalStream, target: DatabaseTarget, signal: AbortSignal): Promise<WalStream> {
    await this.log.switchOn(target, signal);
    const begun = { ...stream, nextSegment: null, quietXid: null };
    await this.streams.save(begun);
    const firstSegment = await this.copyFiles(begun, target, signal);
    const whole = { ...begun, needsBase: false, problem: null, nextSegment: firstSegment };
    await this.streams.save(whole);
    await this.tell(whole);
    return whole;
  }

  private async copyFiles(stream: WalStream, target: DatabaseTarget, signal: AbortSignal): Promise<string> {
    const { serviceId, customerId } = stream;
    // The copy begins after this switch, so that its log does too.
    const firstSegment = segmentAfter((await this.log.mark(target, signal)).segment);
    const id = this.randomness.uuid();
    const storeKey = baseKey(serviceId, id);
    const file = await this.stored.put(storeKey, await this.log.copy(target, signal), customerId);
    // Read after the end: the copy is a state of the database from then on.
    const { now } = await this.log.state(target, signal);
    const endedAt = new Date(now.getTime() + 1);
    await this.streams.addBase(serviceId, { id, storeKey, firstSegment, endedAt, ...file });
    return firstSegment;
  }

  private async advance(stream: WalStream, target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    const before = await this.log.state(target, signal);
    const isSetBack = stream.reachesTo !== null && before.now.getTime() < stream.reachesTo.getTime() - CLOCK_MS;
    if (isSetBack) return this.startOver(stream, before.now);
    if (before.isIdle && stream.quietXid === String(before.nextXid)) {
      return this.shipped(stream, { ...stream, reachesTo: later(stream.reachesTo, before.now), problem: null });
    }
    const mark = await this.log.mark(target, signal);
    const names = await this.log.untilArchived(target, mark.segment, signal);
    const from = stream.nextSegment ?? mark.segment;
    const wanted = names.filter((name) => name >= from && name <= mark.segment);
    const missing = wanted[0] === from ? missingSegment(from, wanted) : from;
    if (missing !== null) return this.lose(stream, `The archived log lacks the segment ${missing}.`);
    for (const name of wanted) await this.shipOne(stream, target, name, name === mark.segment ? mark.at : null, signal);
    await this.log.forget(
      target,
      names.filter((name) => name <= mark.segment),
      signal,
    );
    await this.shipped(stream, {
      ...stream,
      nextSegment: segmentAfter(mark.segment),
      // Nothing but the mark was written since: the next look sees whether that is still so.
      quietXid: before.isIdle ? String(before.nextXid + 1n) : null,
      reachesTo: later(stream.reachesTo, mark.at),
      problem: null,
    });
  }

  private async shipped(before: WalStream, now: WalStream): Promise<void> {
    await this.streams.save(now);
    if (before.problem !== null) await this.tell(now);
  }

  private async shipOne(
    { serviceId, customerId }: WalStream,
    target: DatabaseTarget,
    name: string,
    markedAt: Date | null,
    signal: AbortSignal,
  ): Promise<void> {
    let bytes = 0;
    const content = await this.log.read(target, name, signal);
    content.on('data', (chunk: Buffer) => (bytes += chunk.length)).pause();
    const file = await this.stored.put(segmentKey(serviceId, name), content, customerId);
    if (bytes !== SEGMENT_BYTES) throw new BackupFailed(`The segment ${name} of the log has ${bytes} bytes.`);
    await this.streams.addSegment(serviceId, { name, markedAt, ...file });
  }

  /**
   * A moment that came twice cannot be told by its time. So nothing from before is played on: the last part of it is
   * removed, and a new copy begins a window of its own.
   */
  private async startOver(stream: WalStream, now: Date): Promise<void> {
    const { serviceId, reachesTo } = stream;
    const last = (await this.streams.segments(serviceId)).at(-1);
    if (last) {
      await this.streams.removeSegment(serviceId, last.name);
      await this.stored.store.remove(segmentKey(serviceId, last.name));
    }
    const seconds = Math.round(((reachesTo?.getTime() ?? now.getTime()) - now.getTime()) / 1000);
    await this.lose({ ...stream, reachesTo: null }, `The clock of the database was set back by ${seconds} s.`);
  }

  /** Told when it arises, not when somebody wants to restore. */
  async lose(stream: WalStream, problem: string): Promise<void> {
    const lost = { ...stream, problem, needsBase: true, quietXid: null };
    await this.streams.save(lost);
    await this.tell(lost);
  }

  /** The owner sees it in the window, not only whoever reads the worker's log. */
  private async notShipped(before: WalStream, error: unknown, signal: AbortSignal): Promise<void> {
    const stream = (await this.streams.stream(before.serviceId)) ?? before;
    const reason = failureText(error, signal);
    const target = await this.services.target(stream.serviceId, signal).catch(() => null);
    if (target && (await this.protectDisk(stream, target, reason, signal))) return;
    // A gap stays what it is until a new copy has ended it.
    if (stream.needsBase && stream.problem !== null) return;
    const failed = { ...stream, problem: `The log is not shipped at present. ${reason}` };
    await this.streams.save(failed);
    if (stream.problem !== failed.problem) await this.tell(failed);
  }

  /** @returns whether the log had to be thrown away */
  private async protectDisk(
    stream: WalStream,
    target: DatabaseTarget,
    reason: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const used = await this.log.diskUsedPercent(target, signal).catch(() => 0);
    if (used < FULL_PERCENT) return false;
    await this.log.switchOff(target, signal);
    await this.lose(stream, `The log was thrown away because the disk is ${used} % full. ${reason}`);
    return true;
  }

  private tell({ serviceId, customerId, problem }: WalStream): Promise<void> {
    const event = { type: 'backup.status' as const, customerId, deploymentId: null, at: this.clock.now(), serviceId };
    const recovery = { status: problem === null ? 'active' : 'broken', problem };
    return this.transactions.run(() => this.feed.append([{ ...event, data: { serviceId, recovery } }]));
  }
}

const later = (a: Date | null, b: Date): Date => (a !== null && a.getTime() > b.getTime() ? a : b);

import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope } from '#libs/services';
import { BackupFailed } from '../../domain/backup-errors.js';
import { DatabaseServices } from '../database-services.js';
import { failureText } from '../failure-text.js';
import type { DatabaseTarget } from '../programs/database-target.js';
import { WalRepository, type WalStream } from '../ports/wal-repository.js';
import { BaseCopies, CopyFailed, type RunningServer } from './base-copies.js';
import { type FinishedSegment, UnreadableLog } from './database-log.js';
import { DatabaseLogs } from './database-logs.js';
import { RecoveryEvents } from './recovery-events.js';
import { segmentKey, StoredLog } from './stored-log.js';

/** A clock that goes back by less than this is only being adjusted. */
const CLOCK_MS = 1_000;
/** When the disk is this full, a log that cannot be shipped is discarded so that the database can go on. */
const FULL_PERCENT = 90;

/** Ships the logs of databases to the store. Progress is recorded, so that any worker can continue. */
@Injectable()
export class LogShipping {
  constructor(
    private readonly streams: WalRepository,
    private readonly services: DatabaseServices,
    private readonly logs: DatabaseLogs,
    private readonly stored: StoredLog,
    private readonly copies: BaseCopies,
    private readonly events: RecoveryEvents,
  ) {}

  /** Ships the new part of a service's log. @returns false when another worker is doing so */
  ship(serviceId: Uuid, signal: AbortSignal): Promise<boolean> {
    return this.streams.exclusively(serviceId, 'log', async () => {
      const stream = (await this.streams.stream(serviceId)) ?? (await this.begin(serviceId, signal));
      if (!stream || (await this.services.isAtRest(serviceId))) return;
      try {
        const target = await this.services.target(serviceId, signal);
        const whole = stream.needsBase ? await this.beginAnew(stream, target, signal) : stream;
        if (whole) await this.advance(whole, target, signal);
      } catch (error) {
        if (error instanceof UnreadableLog) await this.skipUnreadable(serviceId, error.message);
        else if (!signal.aborted && !(error instanceof CopyFailed)) await this.notShipped(stream, error, signal);
        throw error;
      }
    });
  }

  /** Switches archiving off. What has been shipped stays until it is too old. */
  stop(serviceId: Uuid, signal: AbortSignal): Promise<boolean> {
    return this.streams.exclusively(serviceId, 'log', async () => {
      const target = await this.services.target(serviceId, signal).catch(() => null);
      if (target) await this.logs.of(target).switchOff(target, signal);
      await this.streams.remove(serviceId);
    });
  }

  private async begin(serviceId: Uuid, signal: AbortSignal): Promise<WalStream | null> {
    signal.throwIfAborted();
    const { view, template } = await this.services.find(OrganisationScope.all, serviceId);
    if (!this.logs.find(template.slug)) return null;
    const nothing = { nextSegment: null, quietXid: null, reachesTo: null, problem: null, needsBase: true };
    return { serviceId, customerId: view.customerId, ...nothing };
  }

  /** Starts a new window with a base backup, at first and after a gap, which the log cannot be played across. */
  private async beginAnew(stream: WalStream, target: RunningServer, signal: AbortSignal): Promise<WalStream | null> {
    if (await this.copies.arePaused(stream.serviceId)) return null;
    const log = this.logs.of(target);
    await log.switchOn(target, signal);
    const begun = { ...stream, nextSegment: null, quietXid: null };
    await this.streams.save(begun);
    const firstSegment = await this.copies.takeFirst(begun, target, signal).catch(async (error: unknown) => {
      // Without a base backup the log is useless, and it would fill the disk of the database.
      await log.switchOff(target, signal).catch(() => undefined);
      throw error;
    });
    if (firstSegment === null) return null;
    const whole = { ...begun, needsBase: false, problem: null, nextSegment: firstSegment };
    await this.streams.save(whole);
    await this.events.tell(whole);
    return whole;
  }

  private async advance(stream: WalStream, target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    const log = this.logs.of(target);
    const look = await log.look(target, stream, signal);
    const isSetBack = stream.reachesTo !== null && look.now.getTime() < stream.reachesTo.getTime() - CLOCK_MS;
    if (isSetBack) return this.startOver(stream, look.now);
    if (look.isQuiet)
      return this.shipped(stream, { ...stream, reachesTo: later(stream.reachesTo, look.now), problem: null });
    const found = await look.finish(signal);
    if ('gap' in found) return this.lose(stream, found.gap);
    for (const segment of found.segments) await this.shipOne(stream, segment, await log.read(target, segment, signal));
    await found.forget(signal);
    await this.shipped(stream, {
      ...stream,
      nextSegment: found.next,
      quietXid: found.quietXid,
      reachesTo: later(stream.reachesTo, found.reachesTo),
      problem: null,
    });
  }

  /** Ends the window, because this part of the log can never be shipped. The next copy waits, so that this does not loop. */
  private async skipUnreadable(serviceId: Uuid, problem: string): Promise<void> {
    const stream = await this.streams.stream(serviceId);
    if (!stream) return;
    await this.copies.distrust(serviceId, 'The log after it cannot be played back.');
    await this.lose(stream, problem);
  }

  private async shipped(before: WalStream, now: WalStream): Promise<void> {
    await this.streams.save(now);
    if (before.problem !== null) await this.events.tell(now);
  }

  private async shipOne(
    { serviceId, customerId }: WalStream,
    { bytes: expected, ...segment }: FinishedSegment,
    content: Readable,
  ): Promise<void> {
    const { name } = segment;
    let bytes = 0;
    content.on('data', (chunk: Buffer) => (bytes += chunk.length)).pause();
    const file = await this.stored.put(segmentKey(serviceId, name), content, customerId);
    if (bytes !== expected) throw new BackupFailed(`The segment ${name} of the log has ${bytes} bytes.`);
    await this.streams.addSegment(serviceId, { ...segment, ...file });
  }

  /**
   * Called when the clock of the database was set back: a time that occurs twice does not identify a moment. The last
   * segment is removed, so that nothing is played across this point, and a new base backup starts a new window.
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

  /** Records a gap and publishes it at once, so that it is not first noticed when somebody wants to restore. */
  async lose(stream: WalStream, problem: string): Promise<void> {
    const lost = { ...stream, problem, needsBase: true, quietXid: null };
    await this.streams.save(lost);
    await this.events.tell(lost);
  }

  /** Stores the failure as the problem of the recovery window, so that the owner of the service sees it. */
  private async notShipped(before: WalStream, error: unknown, signal: AbortSignal): Promise<void> {
    const stream = (await this.streams.stream(before.serviceId)) ?? before;
    const reason = failureText(error, signal);
    const target = await this.services.target(stream.serviceId, signal).catch(() => null);
    if (target && (await this.protectDisk(stream, target, reason, signal))) return;
    // A recorded gap remains the problem until a new base backup has ended it.
    if (stream.needsBase && stream.problem !== null) return;
    const failed = { ...stream, problem: `The log is not shipped at present. ${reason}` };
    await this.streams.save(failed);
    if (stream.problem !== failed.problem) await this.events.tell(failed);
  }

  /** @returns whether the log had to be discarded */
  private async protectDisk(
    stream: WalStream,
    target: DatabaseTarget,
    reason: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const log = this.logs.of(target);
    const used = await log.diskUsedPercent(target, signal).catch(() => 0);
    if (used < FULL_PERCENT) return false;
    await log.switchOff(target, signal);
    await this.lose(stream, `The log was discarded because the disk is ${used} % full. ${reason}`);
    return true;
  }
}

const later = (a: Date | null, b: Date): Date => (a !== null && a.getTime() > b.getTime() ? a : b);

import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope } from '#libs/services';
import { BackupFailed } from '../../domain/backup-errors.js';
import { DatabaseServices } from '../database-services.js';
import { failureText } from '../failure-text.js';
import type { DatabaseTarget } from '../programs/database-target.js';
import { WalRepository, type WalStream } from '../ports/wal-repository.js';
import { BaseCopies, CopyFailed } from './base-copies.js';
import type { FinishedSegment } from './database-log.js';
import { DatabaseLogs } from './database-logs.js';
import { RecoveryEvents } from './recovery-events.js';
import { segmentKey, StoredLog } from './stored-log.js';

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
    private readonly logs: DatabaseLogs,
    private readonly stored: StoredLog,
    private readonly copies: BaseCopies,
    private readonly events: RecoveryEvents,
  ) {}

  /** @returns false when another worker is at it */
  ship(serviceId: Uuid, signal: AbortSignal): Promise<boolean> {
    return this.streams.exclusively(serviceId, 'log', async () => {
      const stream = (await this.streams.stream(serviceId)) ?? (await this.begin(serviceId, signal));
      if (!stream || (await this.services.isAtRest(serviceId))) return;
      try {
        const target = await this.services.target(serviceId, signal);
        const whole = stream.needsBase ? await this.beginAnew(stream, target, signal) : stream;
        if (whole) await this.advance(whole, target, signal);
      } catch (error) {
        if (!signal.aborted && !(error instanceof CopyFailed)) await this.notShipped(stream, error, signal);
        throw error;
      }
    });
  }

  /** The log is wanted no more. What was shipped stays until its time is over. */
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

  /** After a gap too: the log before it is of use only for moments before it. */
  private async beginAnew(stream: WalStream, target: DatabaseTarget, signal: AbortSignal): Promise<WalStream | null> {
    if (await this.copies.arePaused(stream.serviceId)) return null;
    const log = this.logs.of(target);
    await log.switchOn(target, signal);
    const begun = { ...stream, nextSegment: null, quietXid: null };
    await this.streams.save(begun);
    const firstSegment = await this.copies.takeFirst(begun, target, signal).catch(async (error: unknown) => {
      // Without a copy the log is of no use, and would fill the disk of the database.
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
    await this.events.tell(lost);
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
    if (stream.problem !== failed.problem) await this.events.tell(failed);
  }

  /** @returns whether the log had to be thrown away */
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
    await this.lose(stream, `The log was thrown away because the disk is ${used} % full. ${reason}`);
    return true;
  }
}

const later = (a: Date | null, b: Date): Date => (a !== null && a.getTime() > b.getTime() ? a : b);

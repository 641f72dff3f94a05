import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import { Clock } from '#kernel/time/clock';
import { Transactions } from '#kernel/transactions';
import { OrganisationScope, ServiceFeed } from '#libs/services';
import { BackupFailed } from '../../domain/backup-errors.js';
import { DatabaseServices } from '../database-services.js';
import { failureText } from '../failure-text.js';
import type { DatabaseTarget } from '../programs/database-target.js';
import { WalRepository, type WalStream } from '../ports/wal-repository.js';
import type { FinishedSegment } from './database-log.js';
import { DatabaseLogs } from './database-logs.js';
import { baseKey, segmentKey, StoredLog } from './stored-log.js';

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
      if (target) await this.logs.of(target).switchOff(target, signal);
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
    if (!this.logs.find(template.slug)) return null;
    const nothing = { nextSegment: null, quietXid: null, reachesTo: null, problem: null, needsBase: true };
    return { serviceId, customerId: view.customerId, ...nothing };
  }

  /** After a gap too: the log before it is of use only for moments before it. */
  private async beginAnew(stream: WalStream, target: DatabaseTarget, signal: AbortSignal): Promise<WalStream> {
    await this.logs.of(target).switchOn(target, signal);
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
    const last = await this.lastName(serviceId);
    const log = this.logs.of(target);
    const copy = await log.copy(target, stream, last, signal);
    try {
      const id = this.randomness.uuid();
      const storeKey = baseKey(serviceId, id, log.copyFormat);
      const file = await this.stored.put(storeKey, copy.data, customerId);
      const { firstSegment } = copy;
      await this.streams.addBase(serviceId, {
        id,
        storeKey,
        firstSegment,
        endedAt: await copy.endedAt(signal),
        ...file,
      });
      return firstSegment;
    } finally {
      await copy.close();
    }
  }

  private async lastName(serviceId: Uuid): Promise<string | null> {
    const [segments, bases] = [await this.streams.segments(serviceId), await this.streams.bases(serviceId)];
    const names = [...segments.map(({ name }) => name), ...bases.map(({ firstSegment }) => firstSegment)];
    return names.sort().at(-1) ?? null;
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
    if (before.problem !== null) await this.tell(now);
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
    const log = this.logs.of(target);
    const used = await log.diskUsedPercent(target, signal).catch(() => 0);
    if (used < FULL_PERCENT) return false;
    await log.switchOff(target, signal);
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

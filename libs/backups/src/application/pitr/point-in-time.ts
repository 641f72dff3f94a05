import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope } from '#libs/services';
import { BackupFailed } from '../../domain/backup-errors.js';
import { problemOfCopies } from '../../domain/pitr/copy-attempts.js';
import {
  newestMoment,
  type RecoveryPlan,
  recoveryPlan,
  recoveryWindow,
  type RecoveryWindow,
  shippedUntil,
} from '../../domain/pitr/recovery-window.js';
import { type DatabaseService, DatabaseServices } from '../database-services.js';
import type { DatabaseTarget } from '../programs/database-target.js';
import { type StoredBase, type StoredSegment, WalRepository } from '../ports/wal-repository.js';
import type { StoredHistory } from './database-log.js';
import { DatabaseLogs } from './database-logs.js';
import { LogShipping } from './log-shipping.js';
import { allProblems } from './recovery-events.js';
import { segmentKey, StoredLog } from './stored-log.js';

const SHIPPING_TRIES = 60;

/** The state of point-in-time recovery of a database. */
export interface RecoveryStanding {
  readonly window: RecoveryWindow | null;
  /** What is wrong, as one or more sentences; null when nothing is. */
  readonly problem: string | null;
  /** Whether the log is being shipped without problems. */
  readonly grows: boolean;
  /** Resolution of the times in the log. */
  readonly resolutionMs: number;
}

/** A copy with all log after it. */
export interface WholeHistory {
  readonly history: StoredHistory;
  /** Total size in the store. */
  readonly bytes: number;
  /** The earliest moment that can be restored from it. */
  readonly from: Date;
}

/** Restores a database to any moment of its recovery window. */
@Injectable()
export class PointInTime {
  constructor(
    private readonly streams: WalRepository,
    private readonly services: DatabaseServices,
    private readonly shipping: LogShipping,
    private readonly stored: StoredLog,
    private readonly logs: DatabaseLogs,
  ) {}

  /** @throws NotFound; NotBackedUp */
  async standing(scope: OrganisationScope, serviceId: Uuid): Promise<RecoveryStanding> {
    const { template } = await this.services.find(scope, serviceId);
    const [stream, attempts, bases, segments] = await Promise.all([
      this.streams.stream(serviceId),
      this.streams.attempts(serviceId),
      this.streams.bases(serviceId),
      this.streams.segments(serviceId),
    ]);
    const window = recoveryWindow(bases, segments, shippedUntil(stream, segments));
    const resolutionMs = this.resolutionOf(template);
    const rounded = window && { from: window.from, to: floor(window.to, resolutionMs) };
    const ofLog = stream?.problem ?? null;
    return {
      window: rounded && rounded.from <= rounded.to ? rounded : null,
      problem: allProblems(ofLog, problemOfCopies(attempts)),
      grows: stream !== null && !stream.needsBase && ofLog === null,
      resolutionMs,
    };
  }

  /** The moment rounded down to the resolution of the database's log. */
  told({ template }: DatabaseService, at: Date): Date {
    return floor(at, this.resolutionOf(template));
  }

  private resolutionOf({ slug }: { readonly slug: string }): number {
    return this.logs.find(slug)?.resolutionMs ?? 1;
  }

  /** Replaces the data of another service's server with those of the moment. @throws BackupFailed */
  async recover(serviceId: Uuid, at: Date, target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    await this.shipUntil(serviceId, at, signal);
    const [stream, bases, segments] = await Promise.all([
      this.streams.stream(serviceId),
      this.streams.bases(serviceId),
      this.streams.segments(serviceId),
    ]);
    const reach = shippedUntil(stream, segments);
    const plan = reach && recoveryPlan(bases, segments, reach, at);
    if (!plan) throw new BackupFailed('The archived log does not reach to this moment, or has a gap before it.');
    await this.logs.of(target).recover(target, this.historyOf(serviceId, plan, at), signal);
  }

  /** A copy with all log after it, for a trial. Null when no log reaches beyond the end of the copy. */
  async newest(serviceId: Uuid, copyId: Uuid, template: string): Promise<WholeHistory | null> {
    const [stream, bases, segments] = await Promise.all([
      this.streams.stream(serviceId),
      this.streams.bases(serviceId),
      this.streams.segments(serviceId),
    ]);
    const copy = bases.find(({ id }) => id === copyId);
    const reach = shippedUntil(stream, segments);
    const last = copy && reach && newestMoment(copy, segments, reach);
    if (!last) return null;
    const at = floor(last, this.resolutionOf({ slug: template }));
    // A copy whose trial failed may be tried again.
    const plan = recoveryPlan([{ ...copy, proof: null }], segments, reach, at);
    if (!plan) return null;
    const bytes = plan.segments.reduce((sum, segment) => sum + segment.bytes, plan.base.bytes);
    return { history: this.historyOf(serviceId, plan, at), bytes, from: plan.base.endedAt };
  }

  private historyOf(serviceId: Uuid, plan: RecoveryPlan<StoredBase, StoredSegment>, at: Date): StoredHistory {
    const { firstSegment, storeKey, sha256: checksum } = plan.base;
    return {
      firstSegment,
      copy: () => this.stored.open(storeKey, checksum),
      segments: plan.segments.map(({ sha256, ...segment }) => ({
        ...segment,
        open: () => this.stored.open(segmentKey(serviceId, segment.name), sha256),
      })),
      at,
      until: plan.target,
    };
  }

  /** Ships the log until it contains the moment, which may be later than the last shipment. */
  private async shipUntil(serviceId: Uuid, at: Date, signal: AbortSignal): Promise<void> {
    for (let tries = 0; tries < SHIPPING_TRIES; tries++) {
      const stream = await this.streams.stream(serviceId);
      if (!stream || (stream.reachesTo !== null && stream.reachesTo.getTime() >= at.getTime())) return;
      try {
        await this.shipping.ship(serviceId, signal);
      } catch (error) {
        // The database may be gone, in which case the log that was shipped may still be sufficient.
        if (signal.aborted || tries > 2) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

const floor = (time: Date, ms: number): Date => new Date(Math.floor(time.getTime() / ms) * ms);

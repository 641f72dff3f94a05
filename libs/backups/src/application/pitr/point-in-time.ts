import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { pack, type Pack } from 'tar-stream';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope } from '#libs/services';
import { BackupFailed } from '../../domain/backup-errors.js';
import { recoveryPlan, recoveryWindow, type RecoveryWindow } from '../../domain/pitr/recovery-window.js';
import { DatabaseServices } from '../database-services.js';
import type { DatabaseTarget } from '../programs/database-target.js';
import { type StoredSegment, WalRepository } from '../ports/wal-repository.js';
import { LogShipping } from './log-shipping.js';
import { PostgresqlRecovery } from './postgresql-recovery.js';
import { StoredLog } from './stored-log.js';

const SHIPPING_TRIES = 60;

/** What of the history of a database can be brought back. */
export interface RecoveryStanding {
  readonly window: RecoveryWindow | null;
  /** Why it does not grow, as a sentence. */
  readonly problem: string | null;
}

/** Brings a database back to any moment of its window. */
@Injectable()
export class PointInTime {
  constructor(
    private readonly streams: WalRepository,
    private readonly services: DatabaseServices,
    private readonly shipping: LogShipping,
    private readonly stored: StoredLog,
    private readonly recovery: PostgresqlRecovery,
  ) {}

  /** @throws NotFound; NotBackedUp */
  async standing(scope: OrganisationScope, serviceId: Uuid): Promise<RecoveryStanding> {
    await this.services.find(scope, serviceId);
    const [stream, bases, segments] = await Promise.all([
      this.streams.stream(serviceId),
      this.streams.bases(serviceId),
      this.streams.segments(serviceId),
    ]);
    const window = recoveryWindow(bases, segments, stream?.reachesTo ?? null);
    return { window, problem: stream?.problem ?? null };
  }

  /** Into the server of another service, whose data are replaced. @throws BackupFailed */
  async recover(serviceId: Uuid, at: Date, target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    await this.shipUntil(serviceId, at, signal);
    const [stream, bases, segments] = await Promise.all([
      this.streams.stream(serviceId),
      this.streams.bases(serviceId),
      this.streams.segments(serviceId),
    ]);
    const plan = stream?.reachesTo ? recoveryPlan(bases, segments, stream.reachesTo, at) : null;
    if (!plan) throw new BackupFailed('The archived log does not reach to this moment, or has a gap before it.');
    const bySegment = new Map(segments.map((segment) => [segment.name, segment]));
    const wanted = plan.segments.map((name) => bySegment.get(name)!);
    await this.recovery.recover(
      target,
      {
        files: await this.stored.open(plan.base.storeKey, plan.base.sha256),
        log: () => this.logOf(serviceId, wanted),
        until: plan.target,
      },
      signal,
    );
  }

  /** The moment may be younger than the last shipment, as long as the database still runs. */
  private async shipUntil(serviceId: Uuid, at: Date, signal: AbortSignal): Promise<void> {
    for (let tries = 0; tries < SHIPPING_TRIES; tries++) {
      const stream = await this.streams.stream(serviceId);
      if (!stream || (stream.reachesTo !== null && stream.reachesTo.getTime() >= at.getTime())) return;
      try {
        await this.shipping.ship(serviceId, signal);
      } catch (error) {
        // A database that is gone ships no more: what it shipped may still reach.
        if (signal.aborted || tries > 2) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  private logOf(serviceId: Uuid, segments: readonly StoredSegment[]): Readable {
    const archive = pack();
    this.fill(archive, serviceId, segments).then(
      () => archive.finalize(),
      (error: unknown) => archive.destroy(error as Error),
    );
    return Readable.from(archive as AsyncIterable<Buffer>, { objectMode: false });
  }

  private async fill(archive: Pack, serviceId: Uuid, segments: readonly StoredSegment[]): Promise<void> {
    for (const { name, sha256 } of segments) {
      const content = await this.stored.segment(serviceId, name, sha256);
      await new Promise<void>((resolve, reject) => {
        archive.entry({ name, mode: 0o600 }, content, (error) => (error ? reject(error) : resolve()));
      });
    }
  }
}

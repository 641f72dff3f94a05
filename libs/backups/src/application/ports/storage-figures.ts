import type { Uuid } from '#kernel/crypto/uuid';

/** Metrics about the destination of backups and about archived logs. */
export abstract class StorageFigures {
  abstract destination(works: boolean): void;
  /** Number of backups that a check found missing or changed. */
  abstract lost(count: number): void;
  /** @param at the last moment that the database can be restored to; null when there is none */
  abstract reachesTo(serviceId: Uuid, at: Date | null, isBroken: boolean): void;
  /** All services with an alarm at present; replaces what was reported before. */
  abstract alarms(raised: readonly { readonly serviceId: Uuid; readonly code: string }[]): void;
  /** @param count how often in a row the base backup of the database has failed */
  abstract copyFailures(serviceId: Uuid, count: number): void;
}

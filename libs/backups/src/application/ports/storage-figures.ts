import type { Uuid } from '#kernel/crypto/uuid';

/** What monitoring wants to know of the destination of backups and of archived logs. */
export abstract class StorageFigures {
  abstract destination(works: boolean): void;
  /** Backups that a check found missing or changed. */
  abstract lost(count: number): void;
  /** Until when a database can be brought back to any moment. */
  abstract reachesTo(serviceId: Uuid, at: Date | null, isBroken: boolean): void;
  /** All alarms that are raised. */
  abstract alarms(raised: readonly { readonly serviceId: Uuid; readonly code: string }[]): void;
  /** How often in a row a database could not be copied. */
  abstract copyFailures(serviceId: Uuid, count: number): void;
}

/**
 * What time it is at least: the earlier of the panel's clock and its database's. Nothing is removed because one of them
 * is ahead.
 */
export abstract class AgreedTime {
  abstract now(): Promise<Date>;
}

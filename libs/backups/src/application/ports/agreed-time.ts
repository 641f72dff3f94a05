/** The clocks of this process and of the panel's database, which may disagree. */
export abstract class AgreedTime {
  /** The database's clock, which all processes share: what records say. */
  abstract shared(): Promise<Date>;
  /** The earlier of the two. Nothing is removed because one of them is ahead. */
  abstract earliest(): Promise<Date>;
  /** The later of the two. Nothing is missed because one of them is behind. */
  abstract latest(): Promise<Date>;
}

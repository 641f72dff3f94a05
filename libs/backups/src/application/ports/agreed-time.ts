/** Time by the clocks of this process and of the panel's database, which may disagree. */
export abstract class AgreedTime {
  /** The clock of the database, which all processes share. Times in records are taken from it. */
  abstract shared(): Promise<Date>;
  /** The earlier of the two, for removals: nothing is removed too early because one clock is ahead. */
  abstract earliest(): Promise<Date>;
  /** The later of the two, for schedules: no run is missed because one clock is behind. */
  abstract latest(): Promise<Date>;
}

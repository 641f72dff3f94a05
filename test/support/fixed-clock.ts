import { Clock } from '#kernel/clock';

/** A clock that stands still until it is told otherwise. */
export class FixedClock extends Clock {
  private instant: Date;

  constructor(instant: string) {
    super();
    this.instant = new Date(instant);
  }

  now(): Date {
    return new Date(this.instant);
  }

  set(instant: string): void {
    this.instant = new Date(instant);
  }

  advance(ms: number): void {
    this.instant = new Date(this.instant.getTime() + ms);
  }
}

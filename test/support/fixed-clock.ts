import { Clock, SystemClock } from '#kernel/time/clock';

/** A clock that only changes when a test sets it. */
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

/** A running clock that a test can advance. */
export class ShiftedClock extends SystemClock {
  private shiftMs = 0;

  override now(): Date {
    return new Date(super.now().getTime() + this.shiftMs);
  }

  advance(ms: number): void {
    this.shiftMs += ms;
  }
}

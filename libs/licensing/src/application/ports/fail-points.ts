/**
 * Names the points between two effects, where a crash must leave nothing half done. Tests end the process there; in
 * production nothing happens.
 */
export abstract class FailPoints {
  abstract reach(place: string): Promise<void>;
}

const PASSED = Promise.resolve();

export class NoFailPoints extends FailPoints {
  reach(): Promise<void> {
    return PASSED;
  }
}

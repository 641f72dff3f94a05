/**
 * Named points between two effects, at which a crash must leave nothing half done. Tests stop the process there. In
 * production they do nothing.
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

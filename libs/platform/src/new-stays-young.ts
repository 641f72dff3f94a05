import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from making objects old at birth. It does so where most of what a place in the code made was still needed at
 * a small collection, which is so under load for all that waits for the database: from then on each of these objects,
 * and what it knows, stays until the next full collection. For processes that answer requests; to be called before the
 * first one.
 */
export function newStaysYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

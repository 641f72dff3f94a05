import fc from 'fast-check';

// A mutant is decided within a few runs, and nobody reads its smallest counterexample.
fc.configureGlobal({ numRuns: 20, endOnFailure: true });

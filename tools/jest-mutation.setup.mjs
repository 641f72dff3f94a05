import fc from 'fast-check';

// A mutant lives or dies within a few runs, and nobody reads its smallest counterexample.
fc.configureGlobal({ numRuns: 20, endOnFailure: true });

import fc from 'fast-check';

// A few runs decide about a mutant, and shrinking its counterexample would be useless.
fc.configureGlobal({ numRuns: 20, endOnFailure: true });

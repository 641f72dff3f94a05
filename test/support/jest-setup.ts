import 'reflect-metadata';

// A test that hangs on a forgotten connection should say so itself, not the run's own limit.
jest.setTimeout(60_000);

import 'reflect-metadata';

// A test that hangs on a forgotten connection should fail by itself, before the time limit of the whole run.
jest.setTimeout(120_000);

import { randomBytes } from 'node:crypto';

/** One key ring per test file, because processes that share a database must decrypt what the others encrypted. */
export const SECRETS_KEY = `k1:${randomBytes(32).toString('base64')}`;

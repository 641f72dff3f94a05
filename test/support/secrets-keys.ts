import { randomBytes } from 'node:crypto';

/** One ring for all of a test file: processes over one database must open what the others have sealed. */
export const SECRETS_KEY = `k1:${randomBytes(32).toString('base64')}`;

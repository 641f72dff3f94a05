import { withoutData } from './provider-failures.js';
import { publishedMetadata } from './published-metadata.js';

const DEADLINE_MS = 5_000;

/** What the doctor says of a provider: null when the panel could use it, else what is wrong. */
export async function diagnoseProvider(issuer: string): Promise<string | null> {
  try {
    await publishedMetadata(issuer, 'doctor', DEADLINE_MS);
    return null;
  } catch (error) {
    return withoutData(error).message;
  }
}

import { withoutData } from './provider-failures.js';
import { publishedMetadata } from './published-metadata.js';

const DEADLINE_MS = 5_000;

/** The doctor's finding about a provider: null if the panel can use it, otherwise what is wrong. */
export async function diagnoseProvider(issuer: string): Promise<string | null> {
  try {
    await publishedMetadata(issuer, 'doctor', DEADLINE_MS);
    return null;
  } catch (error) {
    return withoutData(error).message;
  }
}

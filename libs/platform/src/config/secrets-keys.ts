import { z } from 'zod';
import { KeyRing } from '../key-ring.js';

/** Parses SECRETS_KEYS into a key ring. Errors never show a key. */
export const secretsKeys = z.string().transform((text, context) => {
  try {
    return KeyRing.parse(text);
  } catch (error) {
    const message = (error as Error).message.replace(/^SECRETS_KEYS: /, '');
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
});

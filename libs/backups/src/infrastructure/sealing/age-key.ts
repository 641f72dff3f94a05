import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { SecretText } from '#kernel/crypto/secret-text';
import type { BackupIdentity } from '../../application/ports/panel-backup-key.js';

/**
 * A native (X25519) age recipient. Keys of plugins and newer kinds are longer, and not every version of age reads them.
 */
const RECIPIENT = /^age1[02-9ac-hj-np-z]{58}$/;

/** Whether the text is a native age recipient with a valid checksum. */
export function isAgeRecipient(text: string): boolean {
  if (!RECIPIENT.test(text)) return false;
  try {
    new Encrypter().addRecipient(text);
    return true;
  } catch {
    return false;
  }
}

export async function newIdentity(): Promise<BackupIdentity> {
  const identity = await generateX25519Identity();
  return { recipient: await identityToRecipient(identity), identity: new SecretText(identity) };
}

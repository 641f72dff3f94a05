import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { SecretText } from '#kernel/crypto/secret-text';
import type { BackupIdentity } from '../../application/ports/panel-backup-key.js';

/** A native public key of age. Longer ones, of plugins and of newer kinds, are not what every `age` of a customer opens. */
const RECIPIENT = /^age1[02-9ac-hj-np-z]{58}$/;

/** Whether the text is a public key of age with a right checksum. */
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

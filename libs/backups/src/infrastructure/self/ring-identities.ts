import { bech32 } from '@scure/base';
import { identityToRecipient } from 'age-encryption';
import { SecretText } from '#kernel/crypto/secret-text';
import type { KeyRing } from '#platform/key-ring';
import type { BackupIdentity } from '../../application/ports/panel-backup-key.js';

/**
 * age keys that are derived from the key ring. A backup of the panel is encrypted for them too, because the panel's own
 * backup key is stored in the very database that is lost when such a backup is needed.
 */
export function ringIdentities(ring: KeyRing): Promise<BackupIdentity[]> {
  return Promise.all(
    ring.derive('backup-of-the-panel').map(async (key) => {
      const identity = bech32.encodeFromBytes('AGE-SECRET-KEY-', key).toUpperCase();
      return { recipient: await identityToRecipient(identity), identity: new SecretText(identity) };
    }),
  );
}

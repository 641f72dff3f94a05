import { bech32 } from '@scure/base';
import { identityToRecipient } from 'age-encryption';
import { SecretText } from '#kernel/crypto/secret-text';
import type { KeyRing } from '#platform/key-ring';
import type { BackupIdentity } from '../../application/ports/panel-backup-key.js';

/**
 * Keys of age that follow from the key ring. The panel's own key lies in the database that is lost when its backup is
 * needed: so that backup opens with SECRETS_KEYS too.
 */
export function ringIdentities(ring: KeyRing): Promise<BackupIdentity[]> {
  return Promise.all(
    ring.derive('backup-of-the-panel').map(async (key) => {
      const identity = bech32.encodeFromBytes('AGE-SECRET-KEY-', key).toUpperCase();
      return { recipient: await identityToRecipient(identity), identity: new SecretText(identity) };
    }),
  );
}

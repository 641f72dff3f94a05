import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Text that only the holder of the Idempotency-Key can decrypt: AES-256-GCM with a key derived from it. The server
 * stores only the key's hash, so a stolen table reveals nothing. Layout: 16 bytes salt, 12 bytes nonce, 16 bytes tag,
 * ciphertext.
 */
export function sealText(clear: string, passphrase: string): Buffer {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', derive(passphrase, salt), nonce);
  const body = Buffer.concat([cipher.update(clear, 'utf8'), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), body]);
}

/** @throws Error if the passphrase is wrong or a byte was changed */
export function openText(sealed: Buffer, passphrase: string): string {
  const [salt, nonce, tag] = [sealed.subarray(0, 16), sealed.subarray(16, 28), sealed.subarray(28, 44)];
  const decipher = createDecipheriv('aes-256-gcm', derive(passphrase, salt), nonce);
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(44)), decipher.final()]).toString('utf8');
}

function derive(passphrase: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', passphrase, salt, 'tenantry idempotent answer', 32));
}

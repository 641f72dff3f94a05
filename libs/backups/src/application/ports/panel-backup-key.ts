import type { SecretText } from '#kernel/crypto/secret-text';

export interface BackupIdentity {
  /** The public key of age, `age1…`. */
  readonly recipient: string;
  /** The private key of age, `AGE-SECRET-KEY-1…`. */
  readonly identity: SecretText;
}

/** The panel's own key for backups: made when it is first needed, and kept sealed with the key ring. */
export abstract class PanelBackupKey {
  /**
   * The newest first. Every backup is sealed to that one; older ones still open what was sealed to them.
   * @throws BackupKeyUnavailable when the key ring does not open it
   */
  abstract all(): Promise<readonly [BackupIdentity, ...BackupIdentity[]]>;
}

/** The panel's own key cannot be opened: SECRETS_KEYS is missing or has lost the key that it was sealed with. */
export class BackupKeyUnavailable extends Error {
  constructor(options?: { cause?: unknown }) {
    super('the key for backups cannot be opened with SECRETS_KEYS', options);
    this.name = 'BackupKeyUnavailable';
  }
}

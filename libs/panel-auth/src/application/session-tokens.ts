import { Injectable } from '@nestjs/common';
import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { Vault } from './ports/vault.js';

const COLUMN = 'sessions.tokens';

/**
 * What is stored of a provider's tokens: the ID token, which the logout sends to the provider. Access and refresh
 * tokens are not used after the sign-in and are not stored at all.
 */
@Injectable()
export class SessionTokens {
  constructor(private readonly vault: Vault) {}

  seal(idToken: SecretText, sessionId: Uuid): Buffer {
    return this.vault.seal(idToken.reveal(), COLUMN, sessionId);
  }

  /** Null if the stored value was changed, moved, or sealed with a key that is gone. */
  open(sealed: Buffer, sessionId: Uuid): SecretText | null {
    const text = this.vault.open(sealed, COLUMN, sessionId);
    return text === null ? null : new SecretText(text);
  }
}

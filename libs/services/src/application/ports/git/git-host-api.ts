import type { SecretText } from '#kernel/crypto/secret-text';
import type { StatusCall } from '../../../domain/git/commit-status.js';

/** Why a Git host did not accept a commit status. The message is safe to show to users. */
export class HostRefused extends Error {
  constructor(
    message: string,
    /** True if another attempt would fail in the same way. */
    readonly isFinal: boolean,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Calls the APIs of Git hosts. The rules for addresses of repositories apply. */
export abstract class GitHostApi {
  /** @throws HostRefused */
  abstract post(call: StatusCall, token: SecretText, signal?: AbortSignal): Promise<void>;
}

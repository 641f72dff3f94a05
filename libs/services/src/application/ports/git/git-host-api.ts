import type { SecretText } from '#kernel/crypto/secret-text';
import type { StatusCall } from '../../../domain/git/commit-status.js';

/** Why a Git host did not take a commit status, in words that may be shown. */
export class HostRefused extends Error {
  constructor(
    message: string,
    /** Asked again, it would say the same. */
    readonly isFinal: boolean,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Calls the APIs of Git hosts, under the rules for the addresses of repositories. */
export abstract class GitHostApi {
  /** @throws HostRefused */
  abstract post(call: StatusCall, token: SecretText, signal?: AbortSignal): Promise<void>;
}

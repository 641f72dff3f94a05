import type { Readable } from 'node:stream';
import { DomainError } from '#kernel/errors';
import type { SecretText } from '#kernel/crypto/secret-text';
import type { RepositoryTree } from '../../../domain/detection/repository-tree.js';
import type { GitAddress } from '../../../domain/git/git-address.js';
import type { GitRef } from '../../../domain/git/git-ref.js';

export interface CloneRequest {
  readonly address: GitAddress;
  readonly ref: GitRef;
  /** A private key in OpenSSH or PEM format. Only for ssh addresses. */
  readonly deployKey: SecretText | null;
  /** Lines for known_hosts, in addition to those of the large hosts and of the settings. */
  readonly knownHosts: string | null;
}

export interface BranchTip {
  readonly name: string;
  readonly commit: string;
}

/** One commit of a repository, stored temporarily until it is closed. */
export abstract class ClonedRepository implements RepositoryTree {
  /** The commit's full id. */
  abstract readonly commit: string;
  /** First line of the commit's message, shortened. */
  abstract readonly subject: string;
  abstract list(): ReturnType<RepositoryTree['list']>;
  abstract read(path: string): Promise<string | null>;
  /**
   * The files of a folder as a tar archive, exactly as they were committed.
   * @param folder '' for the whole repository
   */
  abstract archive(folder: string, signal?: AbortSignal): Readable;
  /** Deletes the temporary copy. A second call does nothing. */
  abstract close(): Promise<void>;
}

export type CloneProblem =
  | 'host_refused'
  | 'host_unreachable'
  | 'host_key_unknown'
  | 'not_found_or_private'
  | 'ref_not_found'
  | 'too_large'
  | 'too_many_files'
  | 'too_slow'
  | 'lfs_unsupported'
  | 'damaged'
  | 'failed';

/** Why a repository could not be cloned. The message is safe to show to users. */
export class CloneFailed extends DomainError {
  readonly kind = 'conflict';

  constructor(
    readonly problem: CloneProblem,
    message: string,
    options?: { cause?: unknown },
  ) {
    super('clone_failed', message, options);
  }
}

/** Fetches repositories from their hosts. Their files are never checked out or executed. */
export abstract class GitCheckout {
  /**
   * Clones one commit without its history. The caller must close the result.
   * @throws CloneFailed; the reason of the signal if it is aborted
   */
  abstract clone(request: CloneRequest, signal?: AbortSignal): Promise<ClonedRepository>;

  /** The commit that a branch or tag points to now, without cloning. @throws CloneFailed */
  abstract resolve(request: CloneRequest, signal?: AbortSignal): Promise<string>;

  /** The branch that the host names as the default one, and its newest commit. @throws CloneFailed */
  abstract defaultBranch(request: Omit<CloneRequest, 'ref'>, signal?: AbortSignal): Promise<BranchTip>;
}

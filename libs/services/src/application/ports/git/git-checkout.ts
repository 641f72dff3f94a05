import type { Readable } from 'node:stream';
import { DomainError } from '#kernel/errors';
import type { SecretText } from '#kernel/crypto/secret-text';
import type { RepositoryTree } from '../../../domain/detection/repository-tree.js';
import type { GitAddress } from '../../../domain/git/git-address.js';
import type { GitRef } from '../../../domain/git/git-ref.js';

export interface CloneRequest {
  readonly address: GitAddress;
  readonly ref: GitRef;
  /** A private key in OpenSSH or PEM form, for ssh alone. */
  readonly deployKey: SecretText | null;
  /** Lines of a known_hosts file, besides those of the large hosts and of the settings. */
  readonly knownHosts: string | null;
}

export interface BranchTip {
  readonly name: string;
  readonly commit: string;
}

/** One commit of a repository, held in a temporary place until it is closed. */
export abstract class ClonedRepository implements RepositoryTree {
  /** The commit's full id. */
  abstract readonly commit: string;
  /** First line of the commit's message, shortened. */
  abstract readonly subject: string;
  abstract list(): ReturnType<RepositoryTree['list']>;
  abstract read(path: string): Promise<string | null>;
  /**
   * The files of a folder as a tar, byte by byte as they were committed.
   * @param folder '' for all
   */
  abstract archive(folder: string, signal?: AbortSignal): Readable;
  /** Gives the place back; a second time does nothing. */
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

/** Why a repository could not be cloned, in words that may be shown. */
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

/** Gets repositories from their hosts. Nothing of a repository is ever checked out or run. */
export abstract class GitCheckout {
  /**
   * Clones one commit without its history. The caller closes what it gets.
   * @throws CloneFailed; the reason of the signal once that is aborted
   */
  abstract clone(request: CloneRequest, signal?: AbortSignal): Promise<ClonedRepository>;

  /** The commit that a branch or tag points to now, without cloning. @throws CloneFailed */
  abstract resolve(request: CloneRequest, signal?: AbortSignal): Promise<string>;

  /** The branch that the host names as the default one, and its newest commit. @throws CloneFailed */
  abstract defaultBranch(request: Omit<CloneRequest, 'ref'>, signal?: AbortSignal): Promise<BranchTip>;
}

import type { Uuid } from '#kernel/crypto/uuid';

export interface OpenPreview {
  readonly serviceId: Uuid;
  readonly parentId: Uuid;
  readonly pullRequest: number;
  readonly expiresAt: Date;
}

export interface UnwantedPreview {
  readonly serviceId: Uuid;
  /** Why it is removed, as a sentence. */
  readonly reason: string;
}

/** Which services are previews of which pull requests. A row is deleted with its service. */
export abstract class PreviewRecords {
  /** Runs in the current transaction. @returns false if the pull request already has a preview */
  abstract add(preview: OpenPreview): Promise<boolean>;
  abstract open(parentId: Uuid, pullRequest: number): Promise<OpenPreview | null>;
  /** Runs in the current transaction. @returns false if it was closed in the meantime */
  abstract extend(serviceId: Uuid, expiresAt: Date): Promise<boolean>;
  /** Runs in the current transaction. The pull request has no preview then, and `unwanted` returns the closed one. */
  abstract close(serviceId: Uuid, at: Date): Promise<void>;
  /**
   * Previews that should be removed: those that are closed or expired, and those whose parent was removed, was
   * suspended, moved to another organisation or turned previews off. Previews whose removal is queued, is running or
   * was tried within the last minute are omitted.
   */
  abstract unwanted(at: Date): Promise<readonly UnwantedPreview[]>;
}

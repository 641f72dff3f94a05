import type { Uuid } from '#kernel/crypto/uuid';

export interface OpenPreview {
  readonly serviceId: Uuid;
  readonly parentId: Uuid;
  readonly pullRequest: number;
  readonly expiresAt: Date;
}

export interface UnwantedPreview {
  readonly serviceId: Uuid;
  /** Why it goes, as a sentence. */
  readonly reason: string;
}

/** Which services are previews of which pull requests. A row goes with its service. */
export abstract class PreviewRecords {
  /** In the current transaction. @returns false when that pull request has a preview already */
  abstract add(preview: OpenPreview): Promise<boolean>;
  abstract open(parentId: Uuid, pullRequest: number): Promise<OpenPreview | null>;
  /** In the current transaction. @returns false when it was closed meanwhile */
  abstract extend(serviceId: Uuid, expiresAt: Date): Promise<boolean>;
  /** In the current transaction: from now on the pull request has no preview, and its service is to be removed. */
  abstract close(serviceId: Uuid, at: Date): Promise<void>;
  /**
   * Those whose pull request is closed or whose time is over, and those of services that are gone, suspended, of
   * another organisation by now, or want no previews any more. Without those whose removal waits, runs or was tried
   * within the last minute.
   */
  abstract unwanted(at: Date): Promise<readonly UnwantedPreview[]>;
}

import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import type { PreviewSettings } from '../../../domain/git/preview-source.js';
import type { GitProvider } from '../../../domain/git/push-event.js';

/** How commit statuses are told to the host of a service. */
export interface HostAccess {
  /** Null: known by its name, as github.com is. */
  readonly provider: GitProvider | null;
  /** Null: nothing is told. */
  readonly token: SecretText | null;
}

/** What services have chosen about their Git hosts; without a row, the defaults. */
export abstract class GitHostSettings {
  abstract previews(serviceId: Uuid): Promise<PreviewSettings>;
  /** In the current transaction. */
  abstract savePreviews(serviceId: Uuid, settings: PreviewSettings): Promise<void>;
  abstract host(serviceId: Uuid): Promise<HostAccess>;
  /** Whether there is a token, without opening it. */
  abstract shownHost(serviceId: Uuid): Promise<{ readonly provider: GitProvider | null; readonly hasToken: boolean }>;
  /** In the current transaction. What is not named stays; a new token counts from then on. */
  abstract saveHost(serviceId: Uuid, change: Partial<HostAccess>, at: Date): Promise<void>;
}

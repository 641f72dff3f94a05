import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import type { PreviewSettings } from '../../../domain/git/preview-source.js';
import type { GitProvider } from '../../../domain/git/push-event.js';

/** How commit statuses of a service are reported to its host. */
export interface HostAccess {
  /** Null if the host name already tells it, as for github.com. */
  readonly provider: GitProvider | null;
  /** Null if nothing is reported. */
  readonly token: SecretText | null;
}

/** The settings of services for their Git hosts. A service without a row has the defaults. */
export abstract class GitHostSettings {
  abstract previews(serviceId: Uuid): Promise<PreviewSettings>;
  /** Runs in the current transaction. */
  abstract savePreviews(serviceId: Uuid, settings: PreviewSettings): Promise<void>;
  abstract host(serviceId: Uuid): Promise<HostAccess>;
  /** Like `host`, but says only whether there is a token. */
  abstract shownHost(serviceId: Uuid): Promise<{ readonly provider: GitProvider | null; readonly hasToken: boolean }>;
  /**
   * Runs in the current transaction. Omitted fields keep their values. With a new token, only deployments from `at` on
   * are reported.
   */
  abstract saveHost(serviceId: Uuid, change: Partial<HostAccess>, at: Date): Promise<void>;
}

import type { Uuid } from '#kernel/crypto/uuid';
import type { PreviewSettings } from '../../../domain/git/preview-source.js';

/** What services have chosen about their Git hosts; without a row, the defaults. */
export abstract class GitHostSettings {
  abstract previews(serviceId: Uuid): Promise<PreviewSettings>;
  /** In the current transaction. */
  abstract savePreviews(serviceId: Uuid, settings: PreviewSettings): Promise<void>;
}

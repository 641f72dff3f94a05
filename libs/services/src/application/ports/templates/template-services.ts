import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Rotation, TemplateSecrets, TemplateService } from '../../../domain/templates/template-service.js';
import type { ServiceAlarm } from '../../../domain/service-state.js';
import type { ResealedSpecs } from '../spec-store.js';

/** Services that were created from templates, with their encrypted secrets. */
export abstract class TemplateServices {
  /** Call it in the transaction that stores the service. */
  abstract insert(service: TemplateService, secrets: TemplateSecrets): Promise<void>;
  /** @returns null for a service that was not created from a template */
  abstract get(serviceId: Uuid): Promise<TemplateService | null>;
  /** @throws DeployFailure `secret_undecryptable` if they are missing or cannot be decrypted */
  abstract secrets(serviceId: Uuid): Promise<TemplateSecrets>;
  /** @throws DeployFailure `secret_undecryptable` */
  abstract rotation(serviceId: Uuid): Promise<Rotation | null>;
  /** Stores the password that is about to be set. @returns false if another rotation is in progress */
  abstract beginRotation(serviceId: Uuid, next: SecretText, at: Date): Promise<boolean>;
  /** @param secrets the valid secrets from now on */
  abstract endRotation(serviceId: Uuid, secrets: TemplateSecrets, at: Date): Promise<void>;
  abstract recordVersion(serviceId: Uuid, version: string, at: Date): Promise<void>;
  /** The data are restored. Call it in the transaction that records the end of the restore. */
  abstract dataArrived(serviceId: Uuid, at: Date): Promise<void>;
  /**
   * Raises, replaces or ends (null) the alarm of a service, and tells those who watch it.
   * @returns false if nothing changed
   */
  abstract setAlarm(serviceId: Uuid, alarm: ServiceAlarm | null, at: Date): Promise<boolean>;
  /** Encrypts everything again that was encrypted with an older key. It can be interrupted and repeated. */
  abstract reseal(): Promise<ResealedSpecs>;
}

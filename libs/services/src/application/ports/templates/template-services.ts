import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Rotation, TemplateSecrets, TemplateService } from '../../../domain/templates/template-service.js';
import type { ResealedSpecs } from '../spec-store.js';

/** Services that were made from templates, with their sealed secrets. */
export abstract class TemplateServices {
  /** In the transaction that stores the service. */
  abstract insert(service: TemplateService, secrets: TemplateSecrets): Promise<void>;
  /** @returns null for a service that was not made from a template */
  abstract get(serviceId: Uuid): Promise<TemplateService | null>;
  /** @throws DeployFailure `secret_undecryptable` when they cannot be opened or there are none */
  abstract secrets(serviceId: Uuid): Promise<TemplateSecrets>;
  /** @throws DeployFailure `secret_undecryptable` */
  abstract rotation(serviceId: Uuid): Promise<Rotation | null>;
  /** Stores the password that is about to be set. @returns false when a rotation is under way */
  abstract beginRotation(serviceId: Uuid, next: SecretText, at: Date): Promise<boolean>;
  /** @param secrets what holds from now on */
  abstract endRotation(serviceId: Uuid, secrets: TemplateSecrets, at: Date): Promise<void>;
  abstract recordVersion(serviceId: Uuid, version: string, at: Date): Promise<void>;
  /** The restore that made the service is over. In the transaction that says so. */
  abstract dataArrived(serviceId: Uuid, at: Date): Promise<void>;
  /** Seals everything again that an older key sealed. It may be interrupted and repeated. */
  abstract reseal(): Promise<ResealedSpecs>;
}

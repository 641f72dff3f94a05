import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Conflict, Invalid } from '#kernel/errors';
import { OwnServices, resourceLimits, type ResourceLimits, type ServiceStatus, type ServiceView } from '#libs/services';
import { isModelName, LOCAL_MODEL, LOCAL_MODEL_DEFAULTS, localModelCompose } from '../domain/local-model.js';
import { ModelReadiness } from './ports/model-readiness.js';
import type { ModelProvider } from './ports/model-provider.js';

/** A host name that never resolves. Questions to it fail with the usual error. */
const NOWHERE = 'model.invalid';
const READY_MS = 5_000;

export interface WantedLocalModel {
  readonly image: string | null;
  readonly model: string | null;
  readonly limits: Partial<ResourceLimits>;
}

export interface LocalModelState {
  readonly serviceId: Uuid;
  readonly status: ServiceStatus;
  readonly statusReason: ServiceView['statusReason'];
  readonly image: string;
  readonly model: string;
  /** Whether the model is ready to answer. */
  readonly isReady: boolean;
}

/** The bundled model: a service of the panel itself, used if no other provider is configured. */
@Injectable()
export class LocalModel {
  constructor(
    private readonly services: OwnServices,
    private readonly readiness: ModelReadiness,
  ) {}

  /** @throws Conflict `already_installed`; Invalid for an image or a name of a model that cannot be used */
  install({ image, model, limits }: WantedLocalModel) {
    const details = { image: image ?? LOCAL_MODEL_DEFAULTS.image, model: model ?? LOCAL_MODEL_DEFAULTS.model };
    if (!isModelName(details.model)) throw Invalid.field('model', 'must be a name such as owner/repository:file');
    const { memoryMb, cpuCores, diskMb } = LOCAL_MODEL_DEFAULTS;
    return this.services.install({
      ...LOCAL_MODEL,
      details,
      composeYaml: localModelCompose(details),
      resourceLimits: resourceLimits({ memoryMb, cpuCores, diskMb, ...limits }),
    });
  }

  /** @returns null if there is none */
  async state(): Promise<LocalModelState | null> {
    const found = await this.services.find(LOCAL_MODEL.purpose);
    if (!found) return null;
    const { service, details } = found;
    const provider = await this.provider();
    return {
      serviceId: found.serviceId,
      status: service.status,
      statusReason: service.statusReason,
      image: details['image'] ?? '',
      model: details['model'] ?? '',
      isReady: provider !== null && (await this.readiness.isReady(provider, AbortSignal.timeout(READY_MS))),
    };
  }

  /** Removes the model with its file. @throws Conflict `not_installed` */
  async remove() {
    const removed = await this.services.remove(LOCAL_MODEL.purpose);
    if (!removed) throw new Conflict('not_installed', 'No local model is installed.');
    return removed;
  }

  /** @returns null if none is installed */
  async provider(): Promise<ModelProvider | null> {
    const found = await this.services.find(LOCAL_MODEL.purpose);
    if (!found || found.service.status === 'removing') return null;
    const address = await this.services.address(found).catch(() => null);
    return { baseUrl: `http://${address ?? NOWHERE}/v1`, apiKey: null, model: found.details['model'] ?? 'local' };
  }
}

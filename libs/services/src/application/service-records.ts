import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { Randomness } from '#kernel/crypto/randomness';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Deployment, DeploymentActor, DeploymentTrigger } from '../domain/deploying/deployment.js';
import { DeploymentRepository } from './ports/deployment-repository.js';
import { ServiceRepository } from './ports/service-repository.js';

export const THE_PANEL: DeploymentActor = { userId: null, apiKeyId: null };

/** Services with their deployments, time and chance: what every change of a service needs together. */
@Injectable()
export class ServiceRecords {
  constructor(
    readonly services: ServiceRepository,
    readonly deployments: DeploymentRepository,
    readonly transactions: Transactions,
    readonly clock: Clock,
    readonly randomness: Randomness,
  ) {}

  /** A deployment that waits; not stored yet. */
  newDeployment(
    service: { readonly id: Uuid; readonly specVersion: number },
    trigger: DeploymentTrigger,
    actor: DeploymentActor,
    sourceDeploymentId: Uuid | null = null,
  ): Deployment {
    return {
      id: this.randomness.uuid(),
      serviceId: service.id,
      trigger,
      status: 'queued',
      actor,
      specVersion: service.specVersion,
      sourceDeploymentId,
      errorMessage: null,
      reverted: false,
      steps: [],
      topology: null,
      attempts: 0,
      cancelRequested: false,
      committedAt: null,
      provenAt: null,
      createdAt: this.clock.now(),
      startedAt: null,
      finishedAt: null,
    };
  }
}

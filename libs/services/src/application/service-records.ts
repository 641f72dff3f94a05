import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { Randomness } from '#kernel/crypto/randomness';
import { Transactions } from '#kernel/transactions';
import type { DeploymentActor } from '../domain/deploying/deployment-state.js';
import { DeploymentLog } from './ports/deployment-log.js';
import { DeploymentRepository } from './ports/deployment-repository.js';
import { ServiceRepository } from './ports/service-repository.js';

export const THE_PANEL: DeploymentActor = { userId: null, apiKeyId: null };

/** The dependencies that every change of a service needs: repositories, transactions, clock and randomness. */
@Injectable()
export class ServiceRecords {
  constructor(
    readonly services: ServiceRepository,
    readonly deployments: DeploymentRepository,
    readonly log: DeploymentLog,
    readonly transactions: Transactions,
    readonly clock: Clock,
    readonly randomness: Randomness,
  ) {}
}

import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { errorMessage } from '../../domain/deploying/deploy-failure.js';
import { ActionRefused } from '../../domain/services-errors.js';
import { ServiceControl } from '../controlling/service-control.js';

/** Restarts running services that are unhealthy. */
@Injectable()
export class UnhealthyServices {
  constructor(private readonly control: ServiceControl) {}

  /** @returns false if another operation is in progress, or the service should not run */
  async restart(serviceId: Uuid, attempt: number): Promise<boolean> {
    const reason = errorMessage('health_gate_failed', `The service stayed unhealthy: restart ${attempt} by the panel.`);
    try {
      await this.control.restartAtRest(serviceId, reason);
      return true;
    } catch (error) {
      if (error instanceof ActionRefused || error instanceof NotFound) return false;
      throw error;
    }
  }
}

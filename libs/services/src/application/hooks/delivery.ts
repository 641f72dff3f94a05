import type { Uuid } from '#kernel/crypto/uuid';
import type { DeploymentActor } from '../../domain/deploying/deployment-state.js';
import type { HookDelivery, HookOutcome } from '../ports/git/git-hooks.js';

export interface DeliveryAnswer {
  readonly outcome: HookOutcome;
  readonly deploymentId: Uuid | null;
}

/** Where a delivery comes from. */
export interface Sender extends Pick<HookDelivery, 'provider' | 'event' | 'redeliveryOf'> {
  readonly actor: DeploymentActor;
}

import type { ServicePlan } from '../../domain/service-plan.js';
import type { ServiceState } from '../../domain/service-state.js';

/** Checks the quota of the organisation in every deployment, before containers are touched. */
export abstract class ServiceQuota {
  /** @throws DeployFailure `quota_exceeded` */
  abstract check(service: ServiceState, plan: ServicePlan): Promise<void>;
}

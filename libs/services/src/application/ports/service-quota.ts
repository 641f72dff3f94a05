import type { ServicePlan } from '../../domain/service-plan.js';
import type { ServiceState } from '../../domain/service-state.js';

/** What an organisation may have; asked in every deployment before anything is touched. */
export abstract class ServiceQuota {
  /** @throws DeployFailure `quota_exceeded`, in words that may be shown */
  abstract check(service: ServiceState, plan: ServicePlan): Promise<void>;
}

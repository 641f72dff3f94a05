import { ServiceQuota } from '../application/ports/service-quota.js';

/** Quotas are set for organisations in the portal; administrators have none. */
export class NoQuota extends ServiceQuota {
  check(): Promise<void> {
    return Promise.resolve();
  }
}

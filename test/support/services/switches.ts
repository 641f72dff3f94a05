import { RegistryReach } from '../../../libs/services/src/application/ports/engine/registry-reach.js';
import { ServiceQuota } from '../../../libs/services/src/application/ports/service-quota.js';
import { DeployFailure } from '../../../libs/services/src/domain/deploying/deploy-failure.js';

export class SwitchedQuota extends ServiceQuota {
  refusal: string | null = null;

  override check(): Promise<void> {
    return this.refusal === null
      ? Promise.resolve()
      : Promise.reject(new DeployFailure('quota_exceeded', this.refusal));
  }
}

export class SwitchedReach extends RegistryReach {
  privateHost: string | null = null;

  override isPublic(registry: string): Promise<boolean> {
    return Promise.resolve(registry !== this.privateHost);
  }
}

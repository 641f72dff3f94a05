import type { Uuid } from '#kernel/crypto/uuid';
import type { Deployment } from '../../domain/deploying/deployment.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { PortMapping } from '../../domain/service-plan.js';
import type { ServiceState } from '../../domain/service-state.js';
import type { Service } from '../../domain/service.js';

export abstract class ServiceRepository {
  /**
   * A new service with its first specification and the deployment that waits for it: all of it or nothing, also
   * outside a transaction.
   * @param isOwn of the panel itself, and hidden from everybody
   * @throws ServiceNameTaken; UnknownCustomer when the organisation is gone
   */
  abstract insert(service: Service, sealedSpec: Buffer, deployment: Deployment, isOwn?: boolean): Promise<void>;
  abstract get(scope: OrganisationScope, id: Uuid): Promise<Service | null>;
  /** Locks the row until the transaction ends. */
  abstract getForUpdate(scope: OrganisationScope, id: Uuid): Promise<Service | null>;
  /** Everything that changes in the life of a service. */
  abstract update(service: Service): Promise<void>;
  /** With its specifications, deployments and ports. */
  abstract delete(id: Uuid): Promise<void>;
  /** Every service, oldest first: what the reconciler looks after. */
  abstract all(): Promise<readonly ServiceState[]>;
  /** Claims host ports besides those the service holds. @throws HostPortTaken */
  abstract claimPorts(serviceId: Uuid, ports: readonly PortMapping[]): Promise<void>;
  /** Gives up the host ports that are not among `ports`. */
  abstract releaseOtherPorts(serviceId: Uuid, ports: readonly PortMapping[]): Promise<void>;
}

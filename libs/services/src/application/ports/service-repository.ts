import type { Uuid } from '#kernel/crypto/uuid';
import type { Deployment } from '../../domain/deploying/deployment.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { PortMapping } from '../../domain/service-plan.js';
import type { ServiceState } from '../../domain/service-state.js';
import type { Service } from '../../domain/service.js';

export abstract class ServiceRepository {
  /**
   * Inserts a new service with its first specification and its queued deployment. Atomic, even outside a transaction.
   * @param isOwn a service of the panel itself, which is hidden from everybody
   * @throws ServiceNameTaken; UnknownCustomer if the organisation does not exist
   */
  abstract insert(service: Service, sealedSpec: Buffer, deployment: Deployment, isOwn?: boolean): Promise<void>;
  abstract get(scope: OrganisationScope, id: Uuid): Promise<Service | null>;
  /** Locks the row until the transaction ends. */
  abstract getForUpdate(scope: OrganisationScope, id: Uuid): Promise<Service | null>;
  /** Stores all fields that can change. */
  abstract update(service: Service): Promise<void>;
  /** Deletes the service with its specifications, deployments and ports. */
  abstract delete(id: Uuid): Promise<void>;
  /** All services, oldest first, including the panel's own. */
  abstract all(): Promise<readonly ServiceState[]>;
  /** Claims host ports, in addition to those that the service has. @throws HostPortTaken */
  abstract claimPorts(serviceId: Uuid, ports: readonly PortMapping[]): Promise<void>;
  /** Releases the host ports that are not among `ports`. */
  abstract releaseOtherPorts(serviceId: Uuid, ports: readonly PortMapping[]): Promise<void>;
}

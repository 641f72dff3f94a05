import type { GroupTopology } from '../../domain/deploying/group-topology.js';
import type { Service } from '../../domain/service.js';

/** What leads requests for the domains of a service to its containers. */
export abstract class Ingress {
  /** Makes sure that the domains lead to these containers; may be repeated. Old containers still stand, stopped. */
  abstract route(service: Service, topology: GroupTopology): Promise<void>;
}

import type { GroupTopology } from '../../domain/deploying/group-topology.js';
import type { ServiceState } from '../../domain/service-state.js';

/** What leads requests for the domains of a service to its containers. */
export abstract class Ingress {
  /** Makes sure that the domains lead to these containers; may be repeated. Old containers still stand, stopped. */
  abstract route(service: ServiceState, topology: GroupTopology): Promise<void>;
}

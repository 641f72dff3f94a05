import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { RegistryReach } from '../application/ports/engine/registry-reach.js';

/** Every address of a name, as the system's resolver gives them. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string }[]>;

/** Where Docker's own images come from; the engine knows its addresses without a name that anybody could choose. */
const DOCKER_HUB = 'docker.io';

/** Asks the resolver of this host, which is the engine's own where both run on one machine. */
export class ResolvingRegistryReach extends RegistryReach {
  constructor(
    private readonly allowed: ReadonlySet<string>,
    private readonly resolve: Resolve = (host) => lookup(host, { all: true }),
  ) {
    super();
  }

  async isPublic(registry: string): Promise<boolean> {
    if (registry === DOCKER_HUB || this.allowed.has(registry)) return true;
    const found = await this.resolve(registry.replace(/:\d+$/, '')).catch(() => []);
    return found.length > 0 && found.every(({ address }) => isPublicAddress(address));
  }
}

/** `unicast` is what is left when every private, local, shared, mapped and tunnelled range is taken away. */
function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

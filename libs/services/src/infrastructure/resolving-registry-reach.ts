import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { RegistryReach } from '../application/ports/engine/registry-reach.js';

/** All addresses of a name, from the system's resolver. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string }[]>;

/** The source of Docker's own images. Nobody else can choose its name, so it is not resolved. */
const DOCKER_HUB = 'docker.io';

/** Uses the resolver of this host, which is also the engine's if both run on one machine. */
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

/** `unicast` means none of the private, local, shared, mapped and tunnelled ranges. */
function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

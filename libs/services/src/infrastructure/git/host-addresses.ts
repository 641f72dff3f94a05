import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { CloneFailed } from '../../application/ports/git/git-checkout.js';
import { hostNames, type GitAddress } from '../../domain/git/git-address.js';

/** All addresses of a name, from the system's resolver. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string }[]>;

const LOOKUP_MS = 5_000;

/**
 * The current addresses of a repository's host. Git is pinned to them, so that a name that changes between this check
 * and the clone leads nowhere else.
 * @throws CloneFailed `host_refused` when any of the addresses is not a public one, unless the host is allowed
 */
export async function addressesOf(
  address: GitAddress,
  allowed: ReadonlySet<string>,
  resolve: Resolve = (host) => lookup(host, { all: true }),
): Promise<readonly string[]> {
  const found = await addresses(address.host, resolve);
  if (found.length === 0) throw new CloneFailed('host_unreachable', `The host ${address.host} has no address.`);
  const isAllowed = hostNames(address).some((name) => allowed.has(name));
  if (!isAllowed && !found.every(isPublicAddress))
    throw new CloneFailed('host_refused', `The host ${address.host} has a private address.`);
  return found;
}

async function addresses(host: string, resolve: Resolve): Promise<readonly string[]> {
  const literal = host.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(literal)) return [literal];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the resolver does not answer')), LOOKUP_MS);
  });
  try {
    return (await Promise.race([resolve(host), late])).map(({ address }) => address);
  } catch (cause) {
    throw new CloneFailed('host_unreachable', `The host ${host} was not found.`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** `unicast` means none of the private, local, shared, mapped and tunnelled ranges. */
function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

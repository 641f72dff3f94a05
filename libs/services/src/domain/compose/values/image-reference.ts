import type { ImageReference } from '../../service-plan.js';

const MAX_REFERENCE_LENGTH = 512;
const MAX_NAME_LENGTH = 255;
const HOST = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/i;
const BRACKETED_HOST = /^\[[0-9a-f:.]+\](?::\d{1,5})?$/i;
const PATH = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[a-f0-9]{64}$/;
const IMAGE_ID = /^[a-f0-9]{64}$/;
const DEFAULT_REGISTRY = 'docker.io';
const PRIVATE_ENDINGS =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|test|invalid|arpa|onion)$/;

/**
 * Parses an image name by the grammar of Docker's references and completes it as the engine does: without a host it
 * gets `docker.io`, a single word becomes `library/…`, and without tag and digest the tag is `latest`. Null if it is
 * not a valid reference.
 */
export function parseImageReference(text: string): ImageReference | null {
  if (text.length > MAX_REFERENCE_LENGTH || IMAGE_ID.test(text)) return null;
  const [name = '', digest = null, ...rest] = text.split('@');
  if (rest.length > 0 || (digest !== null && !DIGEST.test(digest))) return null;
  const colon = name.lastIndexOf(':');
  const tagged = colon > name.lastIndexOf('/');
  const tag = tagged ? name.slice(colon + 1) : null;
  if (tag !== null && !TAG.test(tag)) return null;
  const { registry, repository } = splitHost(tagged ? name.slice(0, colon) : name);
  if (!(HOST.test(registry) || BRACKETED_HOST.test(registry)) || !PATH.test(repository)) return null;
  if (registry.length + repository.length >= MAX_NAME_LENGTH) return null;
  const finalTag = tag ?? (digest === null ? 'latest' : null);
  const ref = `${registry}/${repository}${finalTag === null ? '' : `:${finalTag}`}${digest === null ? '' : `@${digest}`}`;
  return { ref, registry, repository, tag: finalTag, digest };
}

function splitHost(name: string): { registry: string; repository: string } {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  const isHost = slash > 0 && (/[.:[]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  const registry = isHost ? first.toLowerCase() : DEFAULT_REGISTRY;
  const path = isHost ? name.slice(slash + 1) : name;
  if (registry !== DEFAULT_REGISTRY && registry !== 'index.docker.io') return { registry, repository: path };
  return { registry: DEFAULT_REGISTRY, repository: path.includes('/') ? path : `library/${path}` };
}

/**
 * Why the engine must not pull from this registry. Null if it may. The engine sends requests to any host that is named,
 * so addresses, local names and names of private networks are refused unless an administrator allowed them.
 */
export function registryDefect(registry: string, allowed: ReadonlySet<string>): string | null {
  if (allowed.has(registry)) return null;
  const host = registry.replace(/:\d+$/, '');
  const lastLabel = host.slice(host.lastIndexOf('.') + 1);
  // Resolvers read a host as an address if its last label is a number: 10.0.0.1, 0x7f.1, 2130706433.
  if (host.startsWith('[') || /^(?:\d+|0x[0-9a-f]*)$/.test(lastLabel)) return 'The registry must be a host name.';
  if (!host.includes('.') || PRIVATE_ENDINGS.test(host)) return 'The registry is not public.';
  return null;
}

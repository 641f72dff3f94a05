/** Where a repository is cloned from, in one spelling: what was checked is what git is given. */
export interface GitAddress {
  readonly transport: 'https' | 'ssh';
  /** Lower case, without a trailing dot, internationalised names as `xn--…`, addresses in their usual form. */
  readonly host: string;
  readonly port: number;
  /** Who signs in by ssh; null for https. */
  readonly user: string | null;
  /** Begins with a slash, except where ssh takes it from the home folder of the user. */
  readonly path: string;
  /** The whole address without any secret, as it may be shown and stored. */
  readonly url: string;
}

export type ParsedGitAddress = { readonly address: GitAddress } | { readonly defect: string };

const MAX_ADDRESS_LENGTH = 1024;
const DEFAULT_PORTS = { https: 443, ssh: 22 } as const;
const USER = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/;
const DOMAIN_NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)*$/;
const IPV6 = /^\[[0-9a-f:.]+\]$/;
/** Letters, digits and what the URL standard leaves as it is; nothing that a shell or git reads in another way. */
const PATH = /^[A-Za-z0-9._~/+@=,%-]+$/;
/** `git@host:path`, as git writes it; a slash before the colon would make it a local path. */
const SCP_FORM = /^(?:([^@:/\s]+)@)?(\[[0-9a-fA-F:.]+\]|[^@:/[\]\s]+):(?!\/\/)(.+)$/;

/**
 * Reads the address of a repository: `https://host[:port]/path`, `ssh://[user@]host[:port]/path` or `[user@]host:path`.
 * Everything else git understands (local paths, `file:`, `git:`, `ext::…`) is refused, and so are credentials: they
 * would end up in logs and process lists.
 */
export function parseGitAddress(text: string): ParsedGitAddress {
  if (text.length > MAX_ADDRESS_LENGTH) return { defect: `must be at most ${MAX_ADDRESS_LENGTH} characters long` };
  if (!/^[\x21-\x7e\u00a1-\uffff]+$/.test(text) || /[\\"'`<>{}|^]/.test(text))
    return { defect: 'must not contain spaces, quotes, backslashes or control characters' };
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1]?.toLowerCase();
  // To git on Windows, and to everybody who reads it, that is a drive.
  if (/^[A-Za-z]:/.test(text)) return { defect: 'must be an https or ssh address, not a local path' };
  if (scheme === 'https') return parseHttps(text);
  if (scheme === 'ssh') return parseSsh(text);
  const scp = scheme === undefined && !text.includes('::') ? SCP_FORM.exec(text) : null;
  if (!scp) return { defect: 'must be an https or ssh address, such as https://github.com/owner/repository' };
  const [, user = 'git', host = '', path = ''] = scp;
  return assemble({ transport: 'ssh', user, host, port: '', path });
}

function parseHttps(text: string): ParsedGitAddress {
  if (!URL.canParse(text) || /^https:\/\/\//i.test(text)) return { defect: 'is not a valid address' };
  const url = new URL(text);
  if (url.username || url.password || text.slice('https://'.length).split('/')[0]?.includes('@'))
    return { defect: 'must not contain a user name or password; give a deploy key instead' };
  if (text.includes('?') || text.includes('#')) return { defect: 'must have no query and no fragment' };
  return assemble({ transport: 'https', user: null, host: url.hostname, port: url.port, path: url.pathname });
}

function parseSsh(text: string): ParsedGitAddress {
  const [, authority = '', path = ''] = /^ssh:\/\/([^/]*)(\/.*)?$/i.exec(text) ?? [];
  if (text.includes('?') || text.includes('#')) return { defect: 'must have no query and no fragment' };
  const at = authority.lastIndexOf('@');
  const user = at < 0 ? 'git' : authority.slice(0, at);
  if (user.includes(':')) return { defect: 'must not contain a password; give a deploy key instead' };
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(authority.slice(at + 1)) ?? [];
  return assemble({ transport: 'ssh', user, host, port, path });
}

interface Parts {
  readonly transport: 'https' | 'ssh';
  readonly user: string | null;
  readonly host: string;
  readonly port: string;
  readonly path: string;
}

function assemble({ transport, user, host: written, port: digits, path }: Parts): ParsedGitAddress {
  const host = normalHost(written);
  if (host === null) return { defect: 'has no valid host' };
  const port = digits === '' ? DEFAULT_PORTS[transport] : Number(digits);
  if (!(port >= 1 && port <= 65_535)) return { defect: 'has no valid port' };
  if (user !== null && !USER.test(user)) return { defect: 'has no valid user name' };
  const defect = pathDefect(path);
  if (defect !== null) return { defect };
  const authority = `${user === null ? '' : `${user}@`}${host}${port === DEFAULT_PORTS[transport] ? '' : `:${port}`}`;
  // A path without a leading slash begins in the home folder of the user; in a URL that is written with a tilde.
  const rooted = path.startsWith('/') ? path : `/~/${path}`;
  const isScp = transport === 'ssh' && !path.startsWith('/') && port === DEFAULT_PORTS.ssh;
  const url = isScp ? `${authority}:${path}` : `${transport}://${authority}${rooted}`;
  return { address: { transport, host, port, user, path, url } };
}

/** The name as every resolver and every list of ours spells it; the URL standard reads 0x7f.1 as the address it is. */
function normalHost(written: string): string | null {
  if (written === '' || written.includes('%') || written.startsWith('-')) return null;
  const asUrl = `https://${written}/`;
  if (!URL.canParse(asUrl)) return null;
  const host = new URL(asUrl).hostname.replace(/\.$/, '');
  return DOMAIN_NAME.test(host) || IPV6.test(host) ? host : null;
}

function pathDefect(path: string): string | null {
  if (path === '' || path === '/' || !PATH.test(path)) return 'has no valid path to a repository';
  if (/%(?![0-9A-Fa-f]{2})|%(?:[01][0-9A-Fa-f]|7[Ff]|2[Ff]|5[Cc])/.test(path)) return 'has a path that is not allowed';
  const segments = path.split('/');
  const isOdd = (segment: string) => segment === '..' || segment === '.' || segment.startsWith('-');
  return segments.some(isOdd) || /^%2d/i.test(path) ? 'has a path that is not allowed' : null;
}

/** `host`, and `host:port`: how settings name it. */
export function hostNames({ host, port }: GitAddress): readonly string[] {
  return [host, `${host}:${port}`];
}

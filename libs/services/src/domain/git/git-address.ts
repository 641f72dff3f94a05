/** The address of a repository in normal form. Git gets exactly what was checked. */
export interface GitAddress {
  readonly transport: 'https' | 'ssh';
  /** Lower case, without a trailing dot. International names as `xn--…`, IP addresses in their usual form. */
  readonly host: string;
  readonly port: number;
  /** The SSH user. Null for https. */
  readonly user: string | null;
  /** Begins with a slash, unless it is relative to the home folder of the SSH user. */
  readonly path: string;
  /** The whole address. It contains no secrets, so it can be shown and stored. */
  readonly url: string;
}

export type ParsedGitAddress = { readonly address: GitAddress } | { readonly defect: string };

const MAX_ADDRESS_LENGTH = 1024;
const DEFAULT_PORTS = { https: 443, ssh: 22 } as const;
const USER = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/;
const DOMAIN_NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)*$/;
const IPV6 = /^\[[0-9a-f:.]+\]$/;
/** Characters that the URL standard leaves unchanged, and that neither a shell nor git interprets. */
const PATH = /^[A-Za-z0-9._~/+@=,%-]+$/;
/** The form `git@host:path`. With a slash before the colon, git would read a local path. */
const SCP_FORM = /^(?:([^@:/\s]+)@)?(\[[0-9a-fA-F:.]+\]|[^@:/[\]\s]+):(?!\/\/)(.+)$/;

/**
 * Parses `https://host[:port]/path`, `ssh://[user@]host[:port]/path` and `[user@]host:path`. Other addresses that git
 * understands (local paths, `file:`, `git:`, `ext::…`) are refused. So are credentials, because they would end up in
 * logs and process lists.
 */
export function parseGitAddress(text: string): ParsedGitAddress {
  if (text.length > MAX_ADDRESS_LENGTH) return { defect: `must be at most ${MAX_ADDRESS_LENGTH} characters long` };
  if (!/^[\x21-\x7e\u00a1-\uffff]+$/.test(text) || /[\\"'`<>{}|^]/.test(text))
    return { defect: 'must not contain spaces, quotes, backslashes or control characters' };
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1]?.toLowerCase();
  // A single letter before the colon is a Windows drive.
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
  // A path without a leading slash is relative to the home folder. In a URL this is written as `/~/`.
  const rooted = path.startsWith('/') ? path : `/~/${path}`;
  const isScp = transport === 'ssh' && !path.startsWith('/') && port === DEFAULT_PORTS.ssh;
  const url = isScp ? `${authority}:${path}` : `${transport}://${authority}${rooted}`;
  return { address: { transport, host, port, user, path, url } };
}

/** Normalises the host by the URL standard, which also turns forms like `0x7f.1` into IP addresses. Null if invalid. */
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

/** The two forms in which settings name a host: `host` and `host:port`. */
export function hostNames({ host, port }: GitAddress): readonly string[] {
  return [host, `${host}:${port}`];
}

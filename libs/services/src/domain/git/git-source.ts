/** How the image of a service is made from its repository. */
export const BUILD_METHODS = ['auto', 'dockerfile', 'nixpacks'] as const;
export type BuildMethod = (typeof BUILD_METHODS)[number];

export interface GitVolume {
  readonly name: string;
  /** Where it is in the container. */
  readonly path: string;
}

/** What a service from a repository is made from. It is sealed with the specification. */
export interface GitSource {
  /** As it was given; parsed again with every use. */
  readonly url: string;
  readonly branch: string;
  readonly buildMethod: BuildMethod;
  /** What the program listens on, told to it as `PORT`. */
  readonly port: number;
  readonly deployKey: string | null;
  readonly knownHosts: string | null;
  /** In the base directory; null: `Dockerfile`. */
  readonly dockerfilePath: string | null;
  /** '' for the whole repository. */
  readonly baseDirectory: string;
  /** A push that changes none of these is not deployed; empty: all of them. */
  readonly watchPaths: readonly string[];
  readonly buildArgs: Readonly<Record<string, string>>;
  /** For the build only, by the id that a Dockerfile mounts them with. */
  readonly buildSecrets: Readonly<Record<string, string>>;
  readonly volumes: readonly GitVolume[];
}

/** The one container of such a service. */
export const GIT_ROLE = 'app';

/**
 * Registry of images that were built here. It leads nowhere (RFC 2606), so that no engine asks for them, and no compose
 * file and no Dockerfile may name it.
 */
export const BUILT_HERE = 'panel-git.invalid';

/** The compose file that the rest of the panel plans and runs. @param variables names of the run-time values */
export function composeOf(source: GitSource, variables: Iterable<string>): string {
  const environment = { PORT: String(source.port), ...asReferences(variables) };
  const app = {
    image: `${BUILT_HERE}/app`,
    restart: 'unless-stopped',
    environment,
    expose: [String(source.port)],
    // Databases of the organisation are found there by name; nobody finds this container by one.
    networks: ['default', 'organisation'],
    ...(source.volumes.length > 0 ? { volumes: source.volumes.map(({ name, path }) => `${name}:${path}`) } : {}),
  };
  const volumes = Object.fromEntries(source.volumes.map(({ name }) => [name, {}]));
  const networks = { organisation: { 'x-panel': 'organisation' } };
  return JSON.stringify({ services: { [GIT_ROLE]: app }, networks, volumes });
}

function asReferences(names: Iterable<string>): Readonly<Record<string, string>> {
  return Object.fromEntries([...names].map((name) => [name, `\${${name}}`]));
}

/** `app/api` and the like: below the root, without empty, `.` and `..` parts. @returns null for anything else */
export function folderPath(text: string): string | null {
  const trimmed = text.replace(/^\.\//, '').replace(/^\/+|\/+$/g, '');
  if (trimmed === '' || trimmed === '.') return '';
  const isPlain = (part: string) => part !== '' && part !== '.' && part !== '..' && part !== '.git';
  return trimmed.length <= 1024 && !/[\x00-\x1f\x7f\\:]/.test(trimmed) && trimmed.split('/').every(isPlain)
    ? trimmed
    : null;
}

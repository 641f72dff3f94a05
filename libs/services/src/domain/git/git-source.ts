/** How the image of a service is built from its repository. */
export const BUILD_METHODS = ['auto', 'dockerfile', 'nixpacks'] as const;
export type BuildMethod = (typeof BUILD_METHODS)[number];

export interface GitVolume {
  readonly name: string;
  /** The mount point in the container. */
  readonly path: string;
}

/** The source of a service that is built from a repository. It is encrypted as part of the specification. */
export interface GitSource {
  /** As the user gave it. It is parsed on every use. */
  readonly url: string;
  readonly branch: string;
  readonly buildMethod: BuildMethod;
  /** The port on which the program should listen. The program gets it as `PORT`. */
  readonly port: number;
  readonly deployKey: string | null;
  readonly knownHosts: string | null;
  /** Relative to the base directory. Null means one of the usual names, such as `Dockerfile`. */
  readonly dockerfilePath: string | null;
  /** '' for the whole repository. */
  readonly baseDirectory: string;
  /** Only pushes that change one of these paths are deployed. Empty means all pushes. */
  readonly watchPaths: readonly string[];
  readonly buildArgs: Readonly<Record<string, string>>;
  /** Secrets for the build only, by the id under which the Dockerfile mounts them. */
  readonly buildSecrets: Readonly<Record<string, string>>;
  readonly volumes: readonly GitVolume[];
}

/** The name of the only container of a service from a repository. */
export const GIT_ROLE = 'app';

/**
 * The registry in the names of images that were built on the engine. The domain never exists (RFC 2606), so no engine
 * can pull from it. Compose files and Dockerfiles may not use it.
 */
export const BUILT_HERE = 'panel-git.invalid';

/** A compose file for the service, so that it is planned and run like any other. @param variables names at run time */
export function composeOf(source: GitSource, variables: Iterable<string>): string {
  const environment = { PORT: String(source.port), ...asReferences(variables) };
  const app = {
    image: `${BUILT_HERE}/app`,
    restart: 'unless-stopped',
    environment,
    expose: [String(source.port)],
    // On this network it can reach the organisation's databases by name. It has no alias there itself.
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

/** Normalises a relative path such as `app/api`. @returns null for a path with empty, `.`, `..` or `.git` parts */
export function folderPath(text: string): string | null {
  const trimmed = text.replace(/^\.\//, '').replace(/^\/+|\/+$/g, '');
  if (trimmed === '' || trimmed === '.') return '';
  const isPlain = (part: string) => part !== '' && part !== '.' && part !== '..' && part !== '.git';
  return trimmed.length <= 1024 && !/[\x00-\x1f\x7f\\:]/.test(trimmed) && trimmed.split('/').every(isPlain)
    ? trimmed
    : null;
}

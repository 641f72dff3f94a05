/** The kinds of image that a generated Dockerfile may use. */
export const BASE_IMAGES = [
  'node',
  'bun',
  'python',
  'go',
  'php',
  'composer',
  'ruby',
  'maven',
  'gradle',
  'java',
  'rust',
  'static',
  'alpine',
  'debian',
] as const;
export type BaseImage = (typeof BASE_IMAGES)[number];

/** Images by language and version, as the operator configured them. `*` stands for every other version. */
export type BaseImageTable = Readonly<Partial<Record<BaseImage, Readonly<Record<string, string>>>>>;

/** The default images for languages that the table does not name. `{version}` is replaced by the version. */
const DEFAULTS: Readonly<Record<BaseImage, string>> = {
  node: 'docker.io/library/node:{version}-bookworm-slim',
  bun: 'docker.io/oven/bun:{version}',
  python: 'docker.io/library/python:{version}-slim-bookworm',
  go: 'docker.io/library/golang:{version}-bookworm',
  php: 'docker.io/library/php:{version}-apache-bookworm',
  composer: 'docker.io/library/composer:{version}',
  ruby: 'docker.io/library/ruby:{version}-slim-bookworm',
  maven: 'docker.io/library/maven:3-eclipse-temurin-{version}',
  gradle: 'docker.io/library/gradle:8-jdk{version}',
  java: 'docker.io/library/eclipse-temurin:{version}-jre',
  rust: 'docker.io/library/rust:{version}-bookworm',
  static: 'docker.io/library/caddy:{version}-alpine',
  alpine: 'docker.io/library/alpine:{version}',
  debian: 'docker.io/library/debian:{version}-slim',
};

/** Chooses the images of generated Dockerfiles, so that a mirror can stand in for the public registries. */
export class BaseImages {
  /** One text for each time that another version was chosen than the requested one. */
  readonly warnings: string[] = [];

  constructor(private readonly table: BaseImageTable) {}

  /** The image of `version`, or of the next newer version in the table, or else of the newest one there. */
  of(language: BaseImage, version: string): string {
    const versions = this.table[language];
    const exact = versions?.[version];
    if (exact !== undefined) return exact;
    const pattern = versions?.['*'];
    if (pattern !== undefined) return pattern.replaceAll('{version}', version);
    const known = Object.keys(versions ?? {}).sort(byVersion);
    const nearest = known.find((candidate) => byVersion(candidate, version) > 0) ?? known.at(-1);
    if (versions === undefined || nearest === undefined) return DEFAULTS[language].replaceAll('{version}', version);
    this.warnings.push(`The image of ${language} ${nearest} is used: there is none of ${version}.`);
    return versions[nearest]!;
  }
}

function byVersion(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** What a generated Dockerfile may build on or run with. */
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

/** Image by language and version, as an operator wrote it down; `*` stands for every other version. */
export type BaseImageTable = Readonly<Partial<Record<BaseImage, Readonly<Record<string, string>>>>>;

/** Where the images of the languages come from when the table says nothing; `{version}` is filled in. */
const USUAL: Readonly<Record<BaseImage, string>> = {
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
  /** Where another version was taken than the one that was asked for. */
  readonly warnings: string[] = [];

  constructor(private readonly table: BaseImageTable) {}

  /** The image of the version; else of the next newer one in the table, else of the newest there. */
  of(language: BaseImage, version: string): string {
    const versions = this.table[language];
    const exact = versions?.[version];
    if (exact !== undefined) return exact;
    const pattern = versions?.['*'];
    if (pattern !== undefined) return pattern.replaceAll('{version}', version);
    const known = Object.keys(versions ?? {}).sort(byVersion);
    const nearest = known.find((candidate) => byVersion(candidate, version) > 0) ?? known.at(-1);
    if (versions === undefined || nearest === undefined) return USUAL[language].replaceAll('{version}', version);
    this.warnings.push(`The image of ${language} ${nearest} is used: there is none of ${version}.`);
    return versions[nearest]!;
  }
}

function byVersion(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

import { imageOf, SOURCE_IMAGE } from '../images.js';
import type { DetectedBuild } from '../facts/repository-facts.js';
import type { MergedAnalysis } from './merge.js';

const SOURCE = '/source';
const NGINX_PORT = 8080;
const FOLDER = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;

/** A compose file as data. */
export interface ComposePlan {
  readonly services: Readonly<Record<string, object>>;
  readonly configs?: Readonly<Record<string, object>>;
  readonly networks?: Readonly<Record<string, object>>;
  readonly volumes: Readonly<Record<string, object>>;
}

/**
 * A compose group that downloads the commit, installs, builds and runs it, for panels that do not build images. It uses
 * only images of our own table and commands found in files. Null if one of them is missing.
 * @param archive address of the commit's files, made by us from the repository's address
 */
export function composePlanOf(
  merged: MergedAnalysis,
  build: DetectedBuild | null,
  archive: string | null,
): ComposePlan | null {
  if (build === null || archive === null) return null;
  const image = imageOf(build.language, build.version) ?? (build.language === 'static' ? imageOf('static', '1') : null);
  if (image === null) return null;
  const source = {
    image: SOURCE_IMAGE,
    command: ['sh', '-ec', fetching(archive)],
    volumes: [`source:${SOURCE}`],
    restart: 'no',
  };
  const fetched = { source: { condition: 'service_completed_successfully' } };
  if (build.outputFolder !== null) return siteOf(build, image, source, fetched);
  if (merged.start_command === null) return null;
  const commands = [...build.installCommands, ...build.buildCommands, merged.start_command];
  const app = {
    image,
    working_dir: SOURCE,
    command: ['sh', '-ec', escaped(commands.join('\n'))],
    environment: { ...environmentOf(merged), ...databaseVariablesOf(merged) },
    expose: [String(merged.port)],
    networks: ['default', 'organisation'],
    volumes: [`source:${SOURCE}`, ...merged.volumes.map(({ name, path }) => `${name}:${path}`)],
    depends_on: fetched,
    restart: 'unless-stopped',
  };
  const volumes = Object.fromEntries(['source', ...merged.volumes.map(({ name }) => name)].map((name) => [name, {}]));
  return { services: { app, source }, networks: { organisation: { 'x-panel': 'organisation' } }, volumes };
}

/** Serves static files, as they are or as a build produces them. */
function siteOf(build: DetectedBuild, image: string, source: object, fetched: object): ComposePlan | null {
  const folder = build.outputFolder ?? '.';
  if (folder !== '.' && (!FOLDER.test(folder) || folder.split('/').includes('..'))) return null;
  const root = folder === '.' ? SOURCE : `${SOURCE}/${folder}`;
  const builds = build.language !== 'static';
  const builder = {
    image,
    working_dir: SOURCE,
    command: ['sh', '-ec', escaped([...build.installCommands, ...build.buildCommands].join('\n'))],
    volumes: [`source:${SOURCE}`],
    depends_on: fetched,
    restart: 'no',
  };
  const web = {
    image: imageOf('static', '1'),
    configs: [{ source: 'site', target: '/etc/nginx/conf.d/default.conf' }],
    expose: [String(NGINX_PORT)],
    volumes: [`source:${SOURCE}:ro`],
    depends_on: builds ? { build: { condition: 'service_completed_successfully' } } : fetched,
    restart: 'unless-stopped',
  };
  const content = `server {\n  listen ${NGINX_PORT};\n  root ${root};\n  location / { try_files $$uri $$uri/ /index.html =404; }\n}\n`;
  return {
    services: { web, ...(builds ? { build: builder } : {}), source },
    configs: { site: { content } },
    volumes: { source: {} },
  };
}

/** The address is built by us and contains no character that a shell would interpret. */
function fetching(archive: string): string {
  return escaped(`rm -rf ${SOURCE}/* && wget -q -O - '${archive}' | tar -xz --strip-components=1 -C ${SOURCE}`);
}

function environmentOf({ env_vars: variables, port }: MergedAnalysis): Readonly<Record<string, string>> {
  const known = variables.flatMap(({ name, default: value }): [string, string][] =>
    value === null || name === 'PORT' ? [] : [[name, escaped(value)]],
  );
  return Object.fromEntries([...known, ['PORT', String(port)]]);
}

/** Empty variables for the databases. The caller fills them in once the database exists. */
function databaseVariablesOf({ databases }: MergedAnalysis): Readonly<Record<string, string>> {
  const names = databases
    .filter(({ template_id, evidence }) => template_id !== null && evidence !== '')
    .flatMap(({ env_mapping }) => Object.keys(env_mapping));
  return Object.fromEntries(names.map((name) => [name, `\${${name}:-}`]));
}

/** Escapes dollar signs for compose. */
function escaped(text: string): string {
  return text.replaceAll('$', '$$$$');
}

import { detect, type RepositoryTree } from '#libs/services';
import { visibleText } from '#kernel/text/visible-text';
import { databasesNamedIn, type DatabaseKind } from '../../domain/facts/database-kinds.js';
import type { DetectedBuild, NamedVariable, Place, RepositoryFacts } from '../../domain/facts/repository-facts.js';
import { isVariableName, plainDefault } from '../../domain/facts/variable-rules.js';

const EXAMPLES = ['.env.example', '.env.sample', '.env.template', '.env.dist', 'env.example', '.env.defaults'];
const MANIFESTS = [
  ...['package.json', 'requirements.txt', 'pyproject.toml', 'Pipfile', 'go.mod', 'composer.json', 'Gemfile'],
  ...['pom.xml', 'build.gradle', 'build.gradle.kts', 'Cargo.toml', 'docker-compose.yml', 'docker-compose.yaml'],
  ...['compose.yml', 'compose.yaml', ...EXAMPLES],
];
const MAX_DOCKERFILE_LENGTH = 16_384;
const MAX_VARIABLES = 60;

/** Reads facts from files, without a model: the build detection of Git deployments, and more. */
export async function readFacts(tree: RepositoryTree): Promise<RepositoryFacts> {
  const detection = await detect(tree);
  const build: DetectedBuild | null = detection && {
    ...detection,
    installCommands: detection.recipe.installCommands,
  };
  return {
    build,
    dockerfile: await readDockerfile(tree),
    startCommands: await startCommandsOf(tree, build),
    variables: await readVariables(tree),
    databases: await readDatabases(tree),
    title: await readTitle(tree),
  };
}

async function readDockerfile(tree: RepositoryTree): Promise<RepositoryFacts['dockerfile']> {
  const text = await tree.read('Dockerfile');
  if (text === null || text.length > MAX_DOCKERFILE_LENGTH) return null;
  const port = Number(/^\s*EXPOSE\s+(\d{1,5})\b/im.exec(text)?.[1] ?? NaN);
  const volumes = [...text.matchAll(/^\s*VOLUME\s+(.+)$/gim)].flatMap(([, list = '']) =>
    list
      .replace(/[[\]",]/g, ' ')
      .trim()
      .split(/\s+/),
  );
  return { text, port: port >= 1 && port <= 65_535 ? port : null, volumes };
}

/** The start commands in files: the detected one, scripts of package.json, lines of a Procfile. */
async function startCommandsOf(tree: RepositoryTree, build: DetectedBuild | null): Promise<readonly string[]> {
  const commands = build?.startCommand ? [build.startCommand] : [];
  for (const script of Object.keys(scriptsOf(await tree.read('package.json')))) {
    if (!/^[\w:-]{1,40}$/.test(script)) continue;
    const short = script === 'start' ? ['npm start', 'yarn start', 'pnpm start'] : [];
    commands.push(...short, ...['npm run', 'yarn', 'pnpm run', 'pnpm'].map((program) => `${program} ${script}`));
  }
  const web = /^web:\s*(.+)$/m.exec((await tree.read('Procfile')) ?? '')?.[1];
  return [...new Set([...commands, ...(web ? [web.trim()] : [])])];
}

function scriptsOf(text: string | null): Record<string, unknown> {
  try {
    const data = JSON.parse(text ?? '{}') as { scripts?: unknown } | null;
    const scripts = data?.scripts;
    return typeof scripts === 'object' && scripts !== null ? (scripts as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

async function readVariables(tree: RepositoryTree): Promise<readonly NamedVariable[]> {
  const found = new Map<string, NamedVariable>();
  for (const path of EXAMPLES) {
    for await (const { line, place, before } of linesOf(tree, path)) {
      const [, name = '', value = ''] = /^\s*(?:export\s+)?([A-Z_][A-Z0-9_]*)\s*=(.*)$/.exec(line) ?? [];
      if (!isVariableName(name) || found.has(name)) continue;
      const comment = /^\s*#\s*(.+)$/.exec(before)?.[1] ?? null;
      found.set(name, { name, default: plainDefault(value), description: comment && visibleText(comment), place });
      if (found.size >= MAX_VARIABLES) return [...found.values()];
    }
  }
  return [...found.values()];
}

async function readDatabases(tree: RepositoryTree): Promise<RepositoryFacts['databases']> {
  const found = new Map<DatabaseKind, Place>();
  for (const path of MANIFESTS) {
    for await (const { line, place } of linesOf(tree, path)) {
      for (const kind of databasesNamedIn(line)) if (!found.has(kind)) found.set(kind, place);
    }
  }
  // A line about MariaDB often mentions MySQL as well, but means one database.
  if (found.has('mariadb')) found.delete('mysql');
  return [...found].map(([kind, place]) => ({ kind, place }));
}

async function readTitle(tree: RepositoryTree): Promise<string | null> {
  const text = await tree.read('README.md');
  const title = /^#\s+(.{1,120})$/m.exec(text ?? '')?.[1];
  return title === undefined ? null : visibleText(title).trim();
}

async function* linesOf(tree: RepositoryTree, path: string) {
  const text = await tree.read(path);
  if (text === null) return;
  let before = '';
  for (const [index, line] of text.slice(0, 200_000).split('\n').entries()) {
    yield { line: line.slice(0, 1_000), before, place: { path, line: index + 1 } };
    before = line;
  }
}

import { find, presence, type Clue, type Clues, type SourceText } from '../clues.js';
import type { Detection } from '../detection.js';
import { installPython } from './packages.js';
import { notePythonStart } from './start.js';
import { chooseVersion } from '../version-choice.js';

const VERSIONS = ['3.12', '3.13', '3.11', '3.10', '3.9'];
const MANIFESTS = ['requirements.txt', 'pyproject.toml', 'Pipfile', 'setup.py', 'uv.lock', 'poetry.lock'];
const ENTRY_FILES = ['manage.py', 'main.py', 'app.py', 'wsgi.py', 'asgi.py', 'server.py', 'run.py'];
/** The first match wins, so a framework comes before those that it is built on. */
const FRAMEWORKS = ['django', 'fastapi', 'litestar', 'starlette', 'flask', 'sanic', 'tornado', 'aiohttp', 'streamlit'];

/** Python packages that need headers or libraries from Debian. */
const SYSTEM_PACKAGES: readonly (readonly [dependency: string, packages: readonly string[]])[] = [
  ['psycopg2', ['build-essential', 'libpq-dev']],
  ['mysqlclient', ['build-essential', 'default-libmysqlclient-dev', 'pkg-config']],
];

export async function detectPython(clues: Clues): Promise<Detection | null> {
  const sign = clues.first(...MANIFESTS) ?? clues.first(...ENTRY_FILES);
  if (sign === null) return null;
  clues.note('language', presence('python', sign));
  const sources: SourceText[] = [];
  for (const path of ['requirements.txt', 'pyproject.toml', 'Pipfile', 'setup.py']) {
    const source = await clues.source(path);
    if (source) sources.push(source);
  }
  const version = await versionOf(clues);
  const depends = (name: string) => dependencyOn(sources, name);
  for (const name of FRAMEWORKS) {
    const clue = depends(name);
    if (clue) clues.note('framework', { ...clue, value: name });
  }
  const { recipe, runner } = await installPython(clues, sources);
  await notePythonStart(clues, depends);
  // Python files next to a package.json, without anything to start, are scripts of a Node project.
  if (clues.has('package.json') && clues.valueOf('start_command') === null) return null;
  const collects = clues.valueOf('framework') === 'django' ? await collectsStatic(clues) : null;
  if (collects) clues.note('build_command', { ...collects, value: 'python manage.py collectstatic --noinput' });
  if (clues.valueOf('start_command') === null)
    clues.warnings.push('No start command was found: add a Procfile with a line "web: …".');
  return clues.conclude({
    language: 'python',
    version,
    packageManager: runner,
    buildCommands: collects ? ['python manage.py collectstatic --noinput'] : [],
    startCommand: clues.valueOf('start_command'),
    port: null,
    outputFolder: null,
    recipe: {
      ...recipe,
      systemPackages: SYSTEM_PACKAGES.flatMap(([name, packages]) => (depends(name) ? packages : [])),
      artifact: null,
    },
  });
}

async function versionOf(clues: Clues): Promise<string> {
  const pyproject = await clues.source('pyproject.toml');
  const clue =
    find(await clues.source('.python-version'), /^(?:cpython-)?(\d[\d.]*)/) ??
    find(await clues.source('runtime.txt'), /^python-(\d[\d.]*)/) ??
    find(await clues.source('.tool-versions'), /^python\s+(\d[\d.]*)/) ??
    find(pyproject, /^\s*requires-python\s*=\s*["']([^"']+)["']/) ??
    find(pyproject, /^\s*python\s*=\s*["']([^"']+)["']/) ??
    find(await clues.source('Pipfile'), /^\s*python_(?:full_)?version\s*=\s*["']([^"']+)["']/);
  const version = clue && chooseVersion(clue.value, VERSIONS);
  if (clue && version) clues.note('version', { ...clue, value: version });
  return version ?? VERSIONS[0]!;
}

/** Compares names as Python's package index does: `-`, `_` and `.` are the same, and case is ignored. */
function dependencyOn(sources: readonly SourceText[], name: string): Clue | null {
  const spelled = name.replace(/[-_.]+/g, '[-_.]+');
  const pattern = new RegExp(`^\\s*["']?${spelled}(?![\\w.-])\\s*(?:\\[|[=<>~!;@"',]|$)`, 'i');
  const inList = new RegExp(`["']${spelled}(?:\\[[^\\]]*\\])?\\s*(?:[=<>~!;@][^"']*)?["']`, 'i');
  for (const source of sources) {
    const clue = find(source, pattern) ?? find(source, inList);
    if (clue) return clue;
  }
  return null;
}

async function collectsStatic(clues: Clues): Promise<Clue | null> {
  for (const path of clues.matching(/(?:^|\/)settings(?:\/(?:base|production|prod))?\.py$/)) {
    const clue = find(await clues.source(path), /^\s*STATIC_ROOT\s*=/);
    if (clue) return clue;
  }
  return null;
}

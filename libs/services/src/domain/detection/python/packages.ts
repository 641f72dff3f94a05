import { find, presence, type Clues, type SourceText } from '../clues.js';
import type { Recipe } from '../detection.js';

export type PythonPackageManager = 'pip' | 'poetry' | 'uv' | 'pipenv';

const VENV = 'python -m venv /app/.venv';

interface Installation {
  readonly runner: PythonPackageManager;
  readonly recipe: Pick<Recipe, 'manifests' | 'installCommands'>;
}

/** The commands that install the dependencies into `/app/.venv`, which is first in `PATH`. */
export async function installPython(clues: Clues, sources: readonly SourceText[]): Promise<Installation> {
  const pyproject = sources.find(({ path }) => path === 'pyproject.toml') ?? null;
  const poetry = find(pyproject, /^\[tool\.poetry\]/);
  if (clues.has('uv.lock')) {
    clues.note('package_manager', presence('uv', 'uv.lock'));
    const commands = [VENV, 'pip install --no-cache-dir uv', 'uv sync --frozen --no-dev --no-install-project'];
    return { runner: 'uv', recipe: { manifests: ['pyproject.toml', 'uv.lock'], installCommands: commands } };
  }
  if (clues.has('poetry.lock') || poetry) {
    clues.note('package_manager', poetry ? { ...poetry, value: 'poetry' } : presence('poetry', 'poetry.lock'));
    const manifests = ['pyproject.toml', 'poetry.lock'].filter((path) => clues.has(path));
    const commands = [VENV, 'pip install --no-cache-dir poetry', 'poetry install --only main --no-root'];
    return { runner: 'poetry', recipe: { manifests, installCommands: commands } };
  }
  if (clues.has('Pipfile')) {
    const locked = clues.has('Pipfile.lock');
    clues.note('package_manager', presence('pipenv', locked ? 'Pipfile.lock' : 'Pipfile'));
    const install = locked ? 'pipenv sync' : 'pipenv install';
    const manifests = ['Pipfile', 'Pipfile.lock'].filter((path) => clues.has(path));
    return {
      runner: 'pipenv',
      recipe: { manifests, installCommands: [VENV, 'pip install --no-cache-dir pipenv', install] },
    };
  }
  return { runner: 'pip', recipe: await installWithPip(clues, pyproject) };
}

async function installWithPip(clues: Clues, pyproject: SourceText | null): Promise<Installation['recipe']> {
  const requirements = await clues.source('requirements.txt');
  if (requirements) {
    clues.note('package_manager', presence('pip', requirements.path));
    // A file that contains only comments needs no installation.
    if (!find(requirements, /^\s*[^#\s]/)) return { manifests: [], installCommands: [] };
    const manifests = clues.matching(/^requirements[\w./-]*\.txt$/).filter((path) => !path.includes('/'));
    return { manifests, installCommands: [VENV, 'pip install --no-cache-dir -r requirements.txt'] };
  }
  const project = find(pyproject, /^\[project\]/);
  if (!project && !clues.has('setup.py')) return { manifests: [], installCommands: [] };
  clues.note('package_manager', project ? { ...project, value: 'pip' } : presence('pip', 'setup.py'));
  return { manifests: [], installCommands: [VENV, 'pip install --no-cache-dir .'] };
}

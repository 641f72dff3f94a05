import { find, presence, type Clue, type Clues } from '../clues.js';

const MODULES = ['main.py', 'app.py', 'server.py', 'wsgi.py', 'asgi.py', 'run.py', 'api.py', 'api/main.py'];
const FOLDERS = ['app', 'src', 'backend'];

/** @param depends returns where the repository declares a dependency, by its name; null if it does not */
export async function notePythonStart(clues: Clues, depends: (name: string) => Clue | null): Promise<void> {
  if (clues.valueOf('start_command') !== null) return;
  const command = await commandOf(clues, depends);
  if (command) clues.note('start_command', command);
}

async function commandOf(clues: Clues, depends: (name: string) => Clue | null): Promise<Clue | null> {
  switch (clues.valueOf('framework')) {
    case 'django':
      return djangoCommand(clues, depends('gunicorn') !== null, depends('uvicorn') !== null);
    case 'fastapi':
    case 'litestar':
    case 'starlette':
      return appCommand(clues, /^(\w+)\s*(?::[^=]+)?=\s*(?:FastAPI|Litestar|Starlette)\(/, (target) => {
        return `uvicorn ${target} --host 0.0.0.0 --port $PORT`;
      });
    case 'flask':
      return appCommand(clues, /^(\w+)\s*(?::[^=]+)?=\s*(?:Flask|create_app)\(/, (target, module) =>
        depends('gunicorn')
          ? `gunicorn ${target} --bind 0.0.0.0:$PORT`
          : `flask --app ${module} run --host 0.0.0.0 --port $PORT`,
      );
    case 'streamlit': {
      const file = clues.first('streamlit_app.py', 'app.py', 'main.py');
      const options = '--server.address 0.0.0.0 --server.port $PORT --server.headless true';
      return file === null ? null : presence(`streamlit run ${file} ${options}`, file);
    }
    case null:
    default: {
      const file = clues.first(...MODULES);
      return file === null ? null : presence(`python ${file}`, file);
    }
  }
}

function djangoCommand(clues: Clues, hasGunicorn: boolean, hasUvicorn: boolean): Clue | null {
  const [wsgi] = clues.matching(/^[^/]+\/wsgi\.py$/);
  const [asgi] = clues.matching(/^[^/]+\/asgi\.py$/);
  if (wsgi && hasGunicorn) return presence(`gunicorn ${moduleOf(wsgi)}:application --bind 0.0.0.0:$PORT`, wsgi);
  if (asgi && hasUvicorn) return presence(`uvicorn ${moduleOf(asgi)}:application --host 0.0.0.0 --port $PORT`, asgi);
  if (!clues.has('manage.py')) return null;
  clues.warnings.push('Neither gunicorn nor uvicorn is a dependency: the development server of Django is started.');
  return presence('python manage.py runserver 0.0.0.0:$PORT', 'manage.py');
}

async function appCommand(
  clues: Clues,
  pattern: RegExp,
  command: (target: string, module: string) => string,
): Promise<Clue | null> {
  const files = [...MODULES, ...FOLDERS.flatMap((folder) => MODULES.map((file) => `${folder}/${file}`))];
  const packages = clues.matching(/^[A-Za-z_]\w*\/(?:__init__|main|app)\.py$/);
  for (const path of [...files, ...packages]) {
    const variable = find(await clues.source(path), pattern);
    if (!variable) continue;
    const module = moduleOf(path);
    return { value: command(`${module}:${variable.value}`, module), evidence: variable.evidence };
  }
  return null;
}

function moduleOf(path: string): string {
  return path
    .replace(/(?:\/__init__)?\.py$/, '')
    .split('/')
    .join('.');
}

import { file, json, type Sample } from './sample.js';

export const PYTHON_SAMPLES: readonly Sample[] = [
  {
    name: 'flask with pip and gunicorn',
    files: {
      'requirements.txt': 'Flask==3.0.3\ngunicorn>=22\n',
      'app.py': 'from flask import Flask\n\napp = Flask(__name__)\n',
      'runtime.txt': 'python-3.11.9\n',
    },
    expected: {
      language: 'python',
      version: '3.11',
      framework: 'flask',
      packageManager: 'pip',
      start: 'gunicorn app:app --bind 0.0.0.0:$PORT',
      evidence: { framework: 'requirements.txt:1', start_command: 'app.py:3', version: 'runtime.txt:1' },
    },
  },
  {
    name: 'flask without gunicorn',
    files: { 'requirements.txt': 'flask\n', 'main.py': 'application = Flask(__name__)\n' },
    expected: { language: 'python', start: 'flask --app main run --host 0.0.0.0 --port $PORT' },
  },
  {
    name: 'fastapi with uv',
    files: {
      'pyproject.toml': file(`
        [project]
        name = "api"
        requires-python = ">=3.12"
        dependencies = [
            "fastapi[standard]>=0.115",
        ]
      `),
      'uv.lock': 'version = 1\n',
      'app/main.py': 'from fastapi import FastAPI\napp = FastAPI()\n',
    },
    expected: {
      language: 'python',
      version: '3.12',
      framework: 'fastapi',
      packageManager: 'uv',
      start: 'uvicorn app.main:app --host 0.0.0.0 --port $PORT',
      evidence: { framework: 'pyproject.toml:5', version: 'pyproject.toml:3', start_command: 'app/main.py:2' },
    },
  },
  {
    name: 'fastapi with poetry',
    files: {
      'pyproject.toml': file(`
        [tool.poetry]
        name = "api"

        [tool.poetry.dependencies]
        python = "^3.11"
        fastapi = "^0.110"
      `),
      'poetry.lock': '',
      'main.py': 'api: FastAPI = FastAPI(title="x")\n',
    },
    expected: {
      language: 'python',
      version: '3.12',
      framework: 'fastapi',
      packageManager: 'poetry',
      start: 'uvicorn main:api --host 0.0.0.0 --port $PORT',
    },
  },
  {
    name: 'django with gunicorn and static files',
    files: {
      'requirements.txt': 'Django~=5.0\ngunicorn\npsycopg2==2.9.9\n',
      'manage.py': '',
      'shop/wsgi.py': 'application = get_wsgi_application()\n',
      'shop/settings.py': "DEBUG = False\nSTATIC_ROOT = BASE_DIR / 'static'\n",
      '.python-version': '3.13.1\n',
    },
    expected: {
      language: 'python',
      version: '3.13',
      framework: 'django',
      packageManager: 'pip',
      build: ['python manage.py collectstatic --noinput'],
      start: 'gunicorn shop.wsgi:application --bind 0.0.0.0:$PORT',
      evidence: { build_command: 'shop/settings.py:2', start_command: 'shop/wsgi.py:1' },
    },
  },
  {
    name: 'django without a server of its own',
    files: { 'requirements.txt': 'django\n', 'manage.py': '', 'site/wsgi.py': '' },
    expected: { language: 'python', start: 'python manage.py runserver 0.0.0.0:$PORT' },
  },
  {
    name: 'pipenv',
    files: {
      Pipfile: '[packages]\nflask = "*"\n\n[requires]\npython_version = "3.10"\n',
      'Pipfile.lock': '{}\n',
      'wsgi.py': 'app = create_app()\n',
    },
    expected: { language: 'python', version: '3.10', packageManager: 'pipenv', framework: 'flask' },
  },
  {
    name: 'streamlit',
    files: { 'requirements.txt': '# charts\nstreamlit==1.40\n', 'streamlit_app.py': '' },
    expected: {
      language: 'python',
      framework: 'streamlit',
      start: 'streamlit run streamlit_app.py --server.address 0.0.0.0 --server.port $PORT --server.headless true',
      evidence: { framework: 'requirements.txt:2' },
    },
  },
  {
    name: 'a script without dependencies',
    files: { 'requirements.txt': '# none\n', 'server.py': '' },
    expected: { language: 'python', framework: null, start: 'python server.py', install: [] },
  },
  {
    name: 'a Procfile',
    files: { 'requirements.txt': 'flask\ngunicorn\n', Procfile: 'web: gunicorn shop.wsgi -w 2 -b :$PORT\n' },
    expected: { language: 'python', start: 'gunicorn shop.wsgi -w 2 -b :$PORT' },
  },
  {
    name: 'django with a package.json for its styles',
    files: {
      'package.json': json({ scripts: { build: 'tailwindcss' }, devDependencies: { tailwindcss: '^3.0.0' } }),
      'requirements.txt': 'django\ngunicorn\n',
      'manage.py': '',
      'web/wsgi.py': '',
    },
    expected: { language: 'python', framework: 'django' },
  },
  {
    name: 'a node project with a python tool',
    files: {
      'package.json': json({ scripts: { start: 'node index.js' } }),
      'requirements.txt': 'pre-commit\n',
      'index.js': '',
    },
    expected: { language: 'node', start: 'npm start' },
  },
];

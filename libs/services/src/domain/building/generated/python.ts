import type { Detection } from '../../detection/detection.js';
import type { Generation } from './generation.js';
import { command, copyManifests, installSystemPackages, listen, run, USER } from './lines.js';

const ENVIRONMENT = [
  'ENV PATH=/app/.venv/bin:$PATH VIRTUAL_ENV=/app/.venv PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1',
  'ENV POETRY_VIRTUALENVS_CREATE=false PIPENV_IGNORE_VIRTUALENVS=0 UV_PROJECT_ENVIRONMENT=/app/.venv',
];

export function pythonDockerfile(detection: Detection, { images, port }: Generation): readonly string[] {
  const { buildCommands, recipe, startCommand, version } = detection;
  const image = images.of('python', version);
  const packages = installSystemPackages(recipe.systemPackages);
  return [
    `FROM ${image} AS build`,
    'WORKDIR /app',
    ...ENVIRONMENT,
    ...packages,
    ...(recipe.manifests.length > 0
      ? [...copyManifests(recipe.manifests), ...run(recipe.installCommands), 'COPY . .']
      : ['COPY . .', ...run(recipe.installCommands)]),
    ...run(buildCommands),
    '',
    `FROM ${image}`,
    'WORKDIR /app',
    ...ENVIRONMENT,
    ...packages,
    ...listen(port),
    'COPY --from=build /app /app',
    `USER ${USER}`,
    command(startCommand ?? 'python main.py'),
  ];
}

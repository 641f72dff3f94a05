import type { Detection } from '../../detection/detection.js';
import type { Generation } from './generation.js';
import { command, copyManifests, installSystemPackages, listen, run, USER } from './lines.js';
import { staticDockerfile } from './static.js';

const ENVIRONMENT = [
  'ENV RAILS_ENV=production RACK_ENV=production RAILS_LOG_TO_STDOUT=1 RAILS_SERVE_STATIC_FILES=1',
  'ENV BUNDLE_PATH=/app/vendor/bundle BUNDLE_WITHOUT=development:test',
];

export function rubyDockerfile(detection: Detection, generation: Generation): readonly string[] {
  const { buildCommands, outputFolder, recipe, startCommand, version } = detection;
  const image = generation.images.of('ruby', version);
  const packages = installSystemPackages(recipe.systemPackages);
  const build = [
    `FROM ${image} AS build`,
    'WORKDIR /app',
    ...ENVIRONMENT,
    ...packages,
    ...copyManifests(recipe.manifests),
    ...run(recipe.installCommands),
    'COPY . .',
    ...run(buildCommands),
  ];
  if (outputFolder !== null) return [...build, '', ...staticDockerfile(outputFolder, 'build', generation)];
  const needed = recipe.systemPackages.filter((name) => name !== 'build-essential');
  return [
    ...build,
    '',
    `FROM ${image}`,
    'WORKDIR /app',
    ...ENVIRONMENT,
    ...installSystemPackages(needed),
    ...listen(generation.port),
    // Rails writes logs, caches and uploads into the folder of the code.
    `COPY --from=build --chown=${USER} /app /app`,
    `USER ${USER}`,
    command(startCommand ?? 'bundle exec rackup -o 0.0.0.0 -p $PORT'),
  ];
}

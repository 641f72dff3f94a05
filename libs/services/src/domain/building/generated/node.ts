import type { Detection } from '../../detection/detection.js';
import type { Generation } from './generation.js';
import { command, copyManifests, installSystemPackages, listen, run, USER } from './lines.js';
import { staticDockerfile } from './static.js';

const PRUNE: Readonly<Record<string, string>> = {
  npm: 'npm prune --omit=dev',
  pnpm: 'CI=true pnpm prune --prod --ignore-scripts',
};

export function nodeDockerfile(detection: Detection, generation: Generation): readonly string[] {
  const { buildCommands, outputFolder, packageManager, recipe, startCommand, version } = detection;
  const isBun = packageManager === 'bun';
  const image = isBun ? generation.images.of('bun', '1') : generation.images.of('node', version);
  const build = [
    `FROM ${image} AS build`,
    'WORKDIR /app',
    ...installSystemPackages(recipe.systemPackages),
    ...(recipe.manifests.length > 0
      ? [...copyManifests(recipe.manifests), ...run(recipe.installCommands), 'COPY . .']
      : ['COPY . .', ...run(recipe.installCommands)]),
    ...run(buildCommands),
  ];
  if (outputFolder !== null) return [...build, '', ...staticDockerfile(outputFolder, 'build', generation)];
  const prune = PRUNE[packageManager ?? 'npm'];
  const hasDependencies = recipe.installCommands.length > 0 && buildCommands.length > 0;
  return [
    ...build,
    ...(hasDependencies && prune !== undefined ? run([prune]) : []),
    '',
    `FROM ${image}`,
    'WORKDIR /app',
    'ENV NODE_ENV=production',
    ...listen(generation.port),
    'COPY --from=build /app /app',
    `USER ${USER}`,
    command(startCommand ?? 'npm start'),
  ];
}

import type { Detection } from '../../detection/detection.js';
import type { Generation } from './generation.js';
import { command, copyManifests, listen, run, USER } from './lines.js';

export function goDockerfile(detection: Detection, { images, port }: Generation): readonly string[] {
  const { buildCommands, recipe, startCommand, version } = detection;
  return [
    `FROM ${images.of('go', version)} AS build`,
    'WORKDIR /src',
    // Without cgo the binary needs no C library, so it runs on Alpine.
    'ENV CGO_ENABLED=0',
    ...copyManifests(recipe.manifests),
    ...run(recipe.installCommands),
    'COPY . .',
    ...run(buildCommands),
    '',
    `FROM ${images.of('alpine', '3.21')}`,
    'WORKDIR /app',
    ...listen(port),
    // The program may read templates and pages at run time.
    'COPY . /app',
    'COPY --from=build /out/app /app/app',
    `USER ${USER}`,
    command(startCommand ?? '/app/app'),
  ];
}

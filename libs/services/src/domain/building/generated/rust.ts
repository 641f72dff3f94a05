import type { Detection } from '../../detection/detection.js';
import type { Generation } from './generation.js';
import { command, listen, run, USER } from './lines.js';

export function rustDockerfile(detection: Detection, { images, port }: Generation): readonly string[] {
  const { buildCommands, recipe, startCommand, version } = detection;
  return [
    `FROM ${images.of('rust', version)} AS build`,
    'WORKDIR /src',
    'COPY . .',
    ...run(buildCommands),
    '',
    `FROM ${images.of('debian', 'bookworm')}`,
    'WORKDIR /app',
    ...listen(port),
    `ENV ROCKET_ADDRESS=0.0.0.0 ROCKET_PORT=${port}`,
    'COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt',
    `COPY --from=build /src/${recipe.artifact ?? 'target/release/app'} /app/app`,
    `USER ${USER}`,
    command(startCommand ?? '/app/app'),
  ];
}

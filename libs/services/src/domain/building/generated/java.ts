import type { Detection } from '../../detection/detection.js';
import type { Generation } from './generation.js';
import { command, listen, run, USER } from './lines.js';

export function javaDockerfile(detection: Detection, { images, port }: Generation): readonly string[] {
  const { buildCommands, packageManager, recipe, startCommand, version } = detection;
  const builder = packageManager === 'gradle' ? images.of('gradle', version) : images.of('maven', version);
  const artifact = recipe.artifact ?? 'target';
  const isFolder = artifact.endsWith('/');
  // The jar that contains all dependencies is the largest one. Jars of sources and docs are in the same folder.
  const pick = `ls -S ${artifact}/*.jar | grep -v -e '-sources.jar$' -e '-javadoc.jar$' -e '-plain.jar$' | head -n 1`;
  return [
    `FROM ${builder} AS build`,
    'WORKDIR /src',
    'COPY . .',
    ...run(buildCommands),
    isFolder ? `RUN cp -r ${artifact} /out` : `RUN mkdir /out && cp "$(${pick})" /out/app.jar`,
    '',
    `FROM ${images.of('java', version)}`,
    'WORKDIR /app',
    ...listen(port),
    `ENV SERVER_PORT=${port} QUARKUS_HTTP_PORT=${port} MICRONAUT_SERVER_PORT=${port}`,
    'COPY --from=build /out /app',
    `USER ${USER}`,
    command(startCommand ?? 'java -jar app.jar'),
  ];
}

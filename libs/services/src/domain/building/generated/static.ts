import type { Generation } from './generation.js';
import { listen, USER } from './lines.js';

/**
 * Serves files with Caddy. A path without a file gets index.html, as single-page applications expect.
 * @param stage the build stage that made the files; null if they are in the repository
 */
export function staticDockerfile(
  folder: string,
  stage: string | null,
  { images, port }: Generation,
): readonly string[] {
  const image = images.of('static', '2');
  const from = stage === null ? '' : `--from=${stage} `;
  const source = stage === null ? folder : folder === '.' ? '/app' : `/app/${folder}`;
  const caddyfile = [
    '{',
    'admin off',
    'auto_https off',
    '}',
    `:${port} {`,
    'root * /srv',
    'encode gzip',
    '@hidden path */.git/* */.env* /Dockerfile',
    'respond @hidden 404',
    'try_files {path} {path}.html {path}/index.html /index.html',
    'file_server',
    '}',
  ];
  return [
    `FROM ${image} AS server`,
    // The copy loses the file capability for low ports, with which a container without capabilities cannot start it.
    `RUN cp "$(command -v caddy)" /tmp/server && \\`,
    `    printf '%s\\n' ${caddyfile.map((line) => `'${line}'`).join(' ')} > /tmp/Caddyfile`,
    '',
    `FROM ${image}`,
    'ENV XDG_CONFIG_HOME=/tmp XDG_DATA_HOME=/tmp',
    ...listen(port),
    'COPY --from=server /tmp/server /server',
    'COPY --from=server /tmp/Caddyfile /Caddyfile',
    `COPY ${from}${source} /srv`,
    `USER ${USER}`,
    'CMD ["/server", "run", "--config", "/Caddyfile", "--adapter", "caddyfile"]',
  ];
}

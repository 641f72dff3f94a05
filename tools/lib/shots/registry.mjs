import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import Docker from 'dockerode';
import { pack } from 'tar-stream';
import { freePorts } from '../ports.mjs';
import { Refusal } from '../refusal.mjs';

const APPLETS = ['sh', 'sleep', 'echo', 'date', 'cat', 'httpd', 'wget', 'true', 'id', 'test', 'chown', 'mkdir'];
const BUSYBOX = ['/bin/busybox', '/usr/bin/busybox'];

/** Writes a line every second, as a program does that has something to do. */
const BUSY = `i=0
while true; do
  i=$((i+1))
  echo "$(date -u +%H:%M:%S) GET /products/$i 200 in $((i % 37 + 3)) ms"
  [ $((i % 15)) -eq 0 ] && echo "slow query: select * from orders took 812 ms" >&2
  sleep 1
done
`;

/** Answers what the template asks of a server before it counts as ready. */
const REDIS_CLI = `#!/bin/sh
[ "$REDISCLI_AUTH" = "$(cat /run/panel-secrets/password)" ] || { echo "NOAUTH Authentication required."; exit 0; }
case "$*" in
*"CONFIG GET"*)
  printf '%s\\n' appendonly yes appendfsync everysec aof-use-rdb-preamble yes save '60 1'
  printf '%s\\n' maxmemory 268435456 maxmemory-policy allkeys-lru dir /data ;;
*INFO*) echo redis_version:7.4.5 ;;
*) echo PONG ;;
esac
`;

/** The images that the services of the screenshots run: one busybox, and what stands in for a database server. */
const IMAGES = {
  'acme/shop:1.4': { files: { '/run.sh': BUSY }, command: ['sh', '/run.sh'] },
  'library/redis:7.4-bookworm': {
    files: {
      '/bin/redis-server': '#!/bin/sh\necho "Ready to accept connections tcp"\nexec sleep 100000\n',
      '/bin/redis-cli': REDIS_CLI,
    },
    command: ['redis-server'],
  },
};

/**
 * A registry on the loopback interface (Debian: docker-registry) that has the images.
 * @returns {Promise<{ host: string, stop(): Promise<void> }>}
 */
export async function startRegistry(folder, signal) {
  const [port] = await freePorts(1);
  const host = `127.0.0.1:${port}`;
  const settings = path.join(folder, 'registry.yml');
  const storage = { filesystem: { rootdirectory: path.join(folder, 'registry') } };
  fs.writeFileSync(settings, JSON.stringify({ version: 0.1, log: { level: 'error' }, storage, http: { addr: host } }));
  const child = spawn('docker-registry', ['serve', settings], { stdio: 'ignore' });
  const ended = once(child, 'exit').catch(() => undefined);
  const engine = new Docker();
  try {
    await untilAnswering(`http://${host}/v2/`, signal);
    for (const [name, image] of Object.entries(IMAGES)) await publish(engine, host, name, image);
  } catch (error) {
    child.kill('SIGTERM');
    throw new Refusal(`screenshots need a Docker Engine, docker-registry and busybox-static (${error.message})`);
  }
  return {
    host,
    stop: async () => {
      const images = await engine.listImages();
      const names = images.flatMap(({ RepoTags }) => RepoTags ?? []).filter((name) => name.startsWith(host));
      for (const name of names) await engine.getImage(name).remove({ force: true });
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function untilAnswering(url, signal) {
  for (let tries = 0; tries < 100; tries++) {
    signal.throwIfAborted();
    if (await fetch(url).catch(() => null)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('docker-registry does not answer');
}

async function publish(engine, host, name, { files, command }) {
  const [repository, tag] = name.split(':');
  const changes = ['ENV PATH=/bin', `CMD ${JSON.stringify(command)}`];
  const repo = `${host}/${repository}`;
  await finished(engine, await engine.importImage(fileSystem(files), { repo, tag, changes }));
  const image = engine.getImage(`${repo}:${tag}`);
  await finished(engine, await image.push({ tag, authconfig: {} }));
  await image.remove({ force: true });
}

function fileSystem(files) {
  const tar = pack();
  const program = BUSYBOX.find((each) => fs.existsSync(each));
  if (!program) throw new Error('there is no busybox');
  tar.entry({ name: 'bin/busybox', mode: 0o755 }, fs.readFileSync(program));
  for (const applet of APPLETS) tar.entry({ name: `bin/${applet}`, type: 'symlink', linkname: 'busybox' });
  tar.entry({ name: 'tmp', type: 'directory', mode: 0o1777 });
  for (const [name, text] of Object.entries(files)) tar.entry({ name: name.slice(1), mode: 0o755 }, text);
  tar.finalize();
  return tar;
}

/** Waits for the end of what the engine does and throws what it complains about. */
const finished = (engine, stream) =>
  new Promise((resolve, reject) =>
    engine.modem.followProgress(stream, (error, events) => {
      const complaint = error ?? events?.find((event) => event.error);
      if (complaint) reject(new Error(complaint.error ?? complaint.message));
      else resolve(events);
    }),
  );

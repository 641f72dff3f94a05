import fs from 'node:fs';
import http from 'node:http';

const OF_THIS_MACHINE = 'unix:///var/run/docker.sock';
const TIMEOUT_MS = 2_000;

/** The line of the welcome page about the Docker Engine: which one answers, or why none does and what to do. */
export async function engineLine(dockerHost = OF_THIS_MACHINE) {
  const { protocol, pathname, hostname, port } = new URL(dockerHost);
  const isSocket = protocol === 'unix:';
  if (isSocket && !fs.existsSync(pathname)) return 'none: services cannot run. Start one, or set DOCKER_HOST';
  if (!isSocket && protocol === 'https:') return `${dockerHost} (npm run cli -- doctor checks it)`;
  try {
    const place = isSocket ? { socketPath: pathname } : { host: hostname, port: port || 2375 };
    return `Docker ${(await versionOf(place)).Version}`;
  } catch (error) {
    // The engine is there; this account is not in the group that its socket belongs to.
    if (error.code === 'EACCES' || error.code === 'EPERM')
      return 'permission denied: sudo usermod -aG docker $USER, then log in again';
    return `${isSocket ? pathname : dockerHost} does not answer (${error.code ?? error.message})`;
  }
}

function versionOf(place) {
  return new Promise((resolve, reject) => {
    const request = http.get({ ...place, path: '/version', timeout: TIMEOUT_MS }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      answer.on('error', reject).on('end', () => {
        try {
          resolve(JSON.parse(text));
        } catch {
          reject(new Error('no Docker Engine'));
        }
      });
    });
    request.on('timeout', () => request.destroy(new Error('silent'))).on('error', reject);
  });
}

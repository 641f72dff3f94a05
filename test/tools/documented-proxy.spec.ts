import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../support/docker/eventually.js';
import { fencedBlocks } from '../support/documents/fenced-blocks.js';
import { freePort } from '../support/free-port.js';

const HOST = 'panel.example.com';
const isInstalled = spawnSync('nginx', ['-v']).status === 0;
if (!isInstalled && process.env.CI !== 'true')
  process.stderr.write('skipped: the example of nginx: it is not installed\n');

(isInstalled || process.env.CI === 'true' ? describe : describe.skip)(
  'the example of nginx in docs/operations.md',
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-nginx-'));
    const file = (name: string) => path.join(folder, name);
    let panel: Server;
    let nginx: ChildProcess;
    let port: number;

    beforeAll(async () => {
      panel = createServer((asked, answer) => answer.end(JSON.stringify(asked.headers)));
      panel.on('upgrade', (_, socket) =>
        socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
      );
      await new Promise<void>((resolve) => panel.listen(0, '127.0.0.1', resolve));
      port = await freePort();
      const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
      const keys = ['-nodes', '-keyout', file('key.pem'), '-out', file('cert.pem'), '-days', '2'];
      execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...keys, ...subject], { stdio: 'ignore' });
      const example = fencedBlocks('docs/operations.md').find(({ text }) => text.startsWith('server {'))!.text;
      const here = example
        .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replace(`/etc/ssl/${HOST}.pem`, file('cert.pem'))
        .replace(`/etc/ssl/${HOST}.key`, file('key.pem'))
        .replace('127.0.0.1:3001', `127.0.0.1:${(panel.address() as AddressInfo).port}`);
      const around = ['daemon off;', `pid ${file('pid')};`, 'events {}', 'http {', 'access_log off;', here, '}'];
      writeFileSync(file('nginx.conf'), around.join('\n'));
      nginx = spawn('nginx', ['-p', folder, '-c', file('nginx.conf'), '-e', file('error.log')], { stdio: 'ignore' });
      await eventually(
        () =>
          ask().then(
            ({ status }) => status,
            () => 0,
          ),
        (status) => status === 200,
      );
    }, 60_000);

    afterAll(async () => {
      nginx.kill('SIGQUIT');
      await new Promise((resolve) => panel.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    });

    function ask(headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
      const place = { host: '127.0.0.1', port, servername: HOST, ca: readFileSync(file('cert.pem')) };
      return new Promise((resolve, reject) => {
        const asked = request({ ...place, headers: { host: HOST, ...headers } }, (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
        });
        asked.on('upgrade', ({ statusCode }, socket) => {
          socket.destroy();
          resolve({ status: statusCode ?? 0, text: '' });
        });
        asked.on('error', reject).end();
      });
    }

    it('passes on the host, and the address of the client in place of one that the client made up', async () => {
      const { text } = await ask({ 'x-forwarded-for': '192.0.2.1' });
      expect(JSON.parse(text)).toMatchObject({ host: HOST, 'x-forwarded-for': '127.0.0.1' });
    });

    it('passes on upgrades to WebSocket', async () => {
      expect((await ask({ connection: 'Upgrade', upgrade: 'websocket' })).status).toBe(101);
    });
  },
);

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { SecretText } from '#kernel/crypto/secret-text';
import { BUILD_LIMITS } from '../../libs/services/src/application/building/building-settings.js';
import { ClassicImageBuilder } from '../../libs/services/src/infrastructure/docker/building/classic-image-builder.js';
import { describeWithEngine } from '../support/docker/engine.js';
import { engineHost, engineJson, engineRequest } from '../support/docker/engine-http.js';
import { forgetImages, makeImage } from '../support/docker/images.js';
import { TextRepository } from '../support/git/text-repository.js';

const NAME = `test-isolation-${process.pid}`;

interface Inspected {
  readonly NetworkSettings: { readonly Networks: Readonly<Record<string, { readonly IPAddress: string }>> };
}

interface Network {
  readonly Id: string;
}

/** Needs the right to change the firewall of this machine, as the worker does. */
describeWithEngine('steps of builds', () => {
  let host: Server;
  let asked = 0;
  let neighbour: { readonly id: string; readonly ip: string };

  beforeAll(async () => {
    await makeImage(`${NAME}/base:1`);
    // As the panel and its database may listen: on every address of the host.
    host = createServer((socket) => {
      asked += 1;
      socket.end('HTTP/1.0 200 OK\r\n\r\nreached');
    }).listen(0, '0.0.0.0');
    await once(host, 'listening');
    await engineJson('POST', '/networks/create', { Name: NAME, CheckDuplicate: true });
    const { Id: id } = await engineJson<{ Id: string }>('POST', `/containers/create?name=${NAME}`, {
      Image: `${NAME}/base:1`,
      HostConfig: { NetworkMode: NAME },
      Cmd: ['sh', '-c', 'echo reached > /index.html; httpd -f -p 80 -h /'],
    });
    const started = await engineRequest('POST', `/containers/${id}/start`);
    expect([started.status, started.text]).toEqual([204, '']);
    const { NetworkSettings: net } = await engineJson<Inspected>('GET', `/containers/${id}/json`);
    neighbour = { id, ip: net.Networks[NAME]!.IPAddress };
  });

  afterAll(async () => {
    await engineRequest('DELETE', `/containers/${neighbour?.id}?force=1`);
    for (const policy of ['required', 'off'] as const) await forgetNetwork(`panel-build-${NAME}-${policy}`);
    await engineRequest('DELETE', `/networks/${NAME}`);
    await forgetImages(NAME);
    host?.close();
  });

  async function forgetNetwork(name: string): Promise<void> {
    const found = await engineRequest('GET', `/networks/${name}`);
    if (found.status === 404) return;
    const { Id } = found.json<Network>();
    for (const rule of [
      ['DOCKER-USER', '-i', `br-${Id.slice(0, 12)}`, '-j', 'PANEL-BUILD'],
      ['INPUT', '-i', `br-${Id.slice(0, 12)}`, '-j', 'DROP'],
    ])
      try {
        execFileSync('iptables', ['--wait', '3', '-D', ...rule], { stdio: 'ignore' });
      } catch {
        // Nobody made it.
      }
    await engineRequest('DELETE', `/networks/${name}`);
  }

  /** What a step gets out of the addresses that it asks. */
  async function buildWith(firewall: 'required' | 'off'): Promise<string> {
    const { port } = host.address() as AddressInfo;
    const builder = new ClassicImageBuilder({ host: engineHost(), instance: `${NAME}-${firewall}`, firewall });
    const ask = (address: string) => `(printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 2 ${address} || true) &`;
    const steps = [
      `: ${firewall};`,
      'gateway=$(route -n | awk \'$1 == "0.0.0.0" { print $2 }\'); echo gateway $gateway;',
      ...[`$gateway ${port}`, `${neighbour.ip} 80`, '169.254.169.254 80'].map(ask),
      'wait',
    ];
    let said = '';
    await builder.build(
      {
        repository: new TextRepository({ 'README.md': 'x' }),
        folder: '',
        reference: `${NAME}/${firewall}:1`,
        buildArgs: new Map<string, string>(),
        secrets: new Map<string, SecretText>(),
        dockerfile: { path: 'Dockerfile', text: `FROM ${NAME}/base:1\nRUN ${steps.join(' ')}\n`, images: [] },
        limits: { ...BUILD_LIMITS, memoryMb: 64, totalMs: 30_000 },
      },
      (text) => (said += text),
      { guard: () => Promise.resolve() },
    );
    return said;
  }

  it('reach neither the host, nor other containers, nor the metadata of a cloud', async () => {
    const said = await buildWith('required');
    expect(said).toMatch(/^gateway \d+\./m);
    expect(said).not.toContain('reached\n');
    expect(said).not.toContain('Warning');
    expect(asked).toBe(0);
  });

  it('would reach the host without that, as the control of this test', async () => {
    expect(await buildWith('off')).toMatch(/^reached/m);
    expect(asked).toBe(1);
  });
});

import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { SecretText } from '#kernel/crypto/secret-text';
import { openBuildKitBed, type BuildKitBed } from '../support/docker/buildkit-builder-bed.js';
import { engineRequest } from '../support/docker/engine-http.js';
import { eventually } from '../support/docker/eventually.js';
import { describeWithOwnEngine } from '../support/docker/own-engine/own-engine.js';
import { itIsAnImageBuilder, LIMITS } from './image-builder.contract.js';

const CANARY = `canary-${process.pid}-of-a-build-secret`;
const UNGUARDED = { guard: () => Promise.resolve() };

describeWithOwnEngine("the engine's BuildKit in a capped cgroup", () => {
  let bed: BuildKitBed;

  beforeAll(async () => {
    bed = await openBuildKitBed();
  }, 330_000);

  afterAll(() => bed?.end(), 60_000);

  itIsAnImageBuilder(() => Promise.resolve(bed), {
    keepsLayers: false,
    endures: ['fills the disk', 'talks without end'],
  });

  async function build(dockerfile: string, secrets: Readonly<Record<string, string>> = {}, builder = bed.builder) {
    const reference = bed.reference();
    let said = '';
    const request = {
      repository: await bed.repository({ 'README.md': 'x' }),
      folder: '',
      buildArgs: new Map<string, string>(),
      limits: LIMITS,
      reference,
      dockerfile: { path: 'Dockerfile', text: dockerfile.replaceAll('BASE', bed.base), images: [] },
      secrets: new Map(Object.entries(secrets).map(([id, text]) => [id, new SecretText(text)])),
    };
    const image = await builder.build(request, (text) => (said += text), UNGUARDED);
    return { reference, image, said: () => said };
  }

  it('cuts off the log of a step that talks without end', async () => {
    const { said } = await build('FROM BASE\nRUN yes all work and no play | head -c 30000000; echo\n');
    expect(said()).toContain('output clipped');
    expect(said().length).toBeLessThan(3_000_000);
  });

  it('gives a secret to the step that mounts it, and to nothing else', async () => {
    const steps = [
      'RUN --mount=type=secret,id=TOKEN,target=/token cat /token; wc -c < /token > /length; ps -o args > /processes',
      'RUN env > /environment; ls -A /run/secrets > /left 2>&1 || true; test ! -s /token',
    ];
    const { image, reference, said } = await build(`FROM BASE\n${steps.join('\n')}\n`, { TOKEN: CANARY });
    expect(await bed.fileOf(image, '/length')).toBe(`${CANARY.length}\n`);
    expect(said()).toContain('***');
    expect(said()).not.toContain(CANARY);
    for (const path of [`/images/${reference}/get`, `/images/${reference}/history`, `/images/${reference}/json`]) {
      const answer = await engineRequest('GET', path);
      expect(answer.status).toBe(200);
      expect(answer.bytes.includes(CANARY)).toBe(false);
    }
    expect(bed.filesWith(CANARY)).toEqual([]);
    await eventually(bed.cache, (left) => left.length === 0);
  });

  it('gives a secret also to a step that comes late', async () => {
    const steps = ['RUN sleep 4', 'RUN --mount=type=secret,id=TOKEN,target=/token wc -c < /token > /length'];
    const { image } = await build(`FROM BASE\n${steps.join('\n')}\n`, { TOKEN: CANARY });
    expect(await bed.fileOf(image, '/length')).toBe(`${CANARY.length}\n`);
  });

  it('has no secret that was not given, and none of an earlier build', async () => {
    const step = 'FROM BASE\nRUN --mount=type=secret,id=TOKEN,target=/token,required cp /token /copy\n';
    await build(step, { TOKEN: CANARY });
    await expect(build(step)).rejects.toThrow(/TOKEN/);
    const copied = await build(step, { TOKEN: 'another' });
    expect(await bed.fileOf(copied.image, '/copy')).toBe('another');
  });

  it('reaches neither the host nor the metadata of a cloud behind the firewall', async () => {
    const host = createServer((socket) => socket.end('reached')).listen(0, '0.0.0.0');
    await once(host, 'listening');
    const { port } = host.address() as AddressInfo;
    const ask = `gateway=$(route -n | awk '$1 == "0.0.0.0" { print $2 }'); nc -w 2 $gateway ${port} < /dev/null || echo closed`;
    try {
      expect((await build(`FROM BASE\nRUN ${ask}\n`)).said()).toMatch(/^reached/m);
      const guarded = bed.guarded();
      expect((await build(`FROM BASE\nRUN ${ask}\n`, {}, guarded)).said()).toMatch(/^closed/m);
      expect((await build('FROM BASE\nRUN nc -w 2 169.254.169.254 80 || echo closed\n', {}, guarded)).said()).toMatch(
        /^closed/m,
      );
    } finally {
      host.close();
    }
  });

  it('says in the words of the step what failed, without a secret', async () => {
    const failing = build(`FROM BASE\nRUN echo ${CANARY}; exit 4\n`, { TOKEN: CANARY });
    await expect(failing).rejects.toThrow('"echo ***; exit 4" ended with 4. See the log.');
  });
});

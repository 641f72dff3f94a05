import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SecretText } from '#kernel/crypto/secret-text';
import { RegistryFailed } from '../../libs/services/src/application/ports/git/image-registry.js';
import { BuildRegistry } from '../../libs/services/src/infrastructure/docker/registry/build-registry.js';
import { EngineImageRegistry } from '../../libs/services/src/infrastructure/docker/registry/engine-image-registry.js';
import type { TransferLimits } from '../../libs/services/src/infrastructure/docker/registry/image-transfer.js';
import { RegistryApi } from '../../libs/services/src/infrastructure/docker/registry/registry-api.js';
import { describeWithEngine } from '../support/docker/engine.js';
import { engineHost } from '../support/docker/engine-http.js';
import { forgetImages, makeImage } from '../support/docker/images.js';
import { REGISTRY_LOGIN, startRegistry, type TestRegistry } from '../support/docker/registry.js';
import { TcpGate } from '../support/http/tcp-gate.js';

const UNGUARDED = { guard: () => Promise.resolve() };
const DIGEST = `sha256:${'a'.repeat(64)}`;

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!(error instanceof RegistryFailed)) throw new Error(`no refusal: ${String(error)}`);
  expect(error.message).toMatch(new RegExp(`^${error.problem}: `));
  expect(error.message).not.toContain(REGISTRY_LOGIN.password);
  return error.problem;
}

describeWithEngine('the registry for built images', () => {
  let registry: TestRegistry;
  let gate: TcpGate;
  let host: string;
  let count = 0;

  beforeAll(async () => {
    registry = await startRegistry({ refuseAnonymous: true });
    gate = new TcpGate({ host: '127.0.0.1', port: Number(registry.host.split(':')[1]) });
    await gate.open();
    host = `127.0.0.1:${gate.port}`;
  });
  afterAll(async () => {
    await gate.cut();
    await registry.stop();
    await forgetImages(`${host}/builds`);
  });

  function adapter(password = REGISTRY_LOGIN.password, push?: TransferLimits): EngineImageRegistry {
    const login = { username: REGISTRY_LOGIN.username, password: new SecretText(password) };
    return new EngineImageRegistry({ host: engineHost(), registry: new BuildRegistry(`${host}/builds`, login), push });
  }

  async function anImage(): Promise<string> {
    const reference = `${host}/builds/panel-git/${process.pid}-${(count += 1)}:1`;
    await makeImage(reference, { files: { '/content': String(count) } });
    return reference;
  }

  async function isThere(reference: string, digest: string): Promise<boolean> {
    const [, name = ''] = /^[^/]+\/(.+):1$/.exec(reference) ?? [];
    const basic = Buffer.from(`${REGISTRY_LOGIN.username}:${REGISTRY_LOGIN.password}`).toString('base64');
    const accept = 'application/vnd.docker.distribution.manifest.v2+json';
    const headers = { authorization: `Basic ${basic}`, accept };
    return (await fetch(`http://${registry.host}/v2/${name}/manifests/${digest}`, { headers })).status === 200;
  }

  it('takes an image with the login, and removes it by its digest, once and again', async () => {
    const reference = await anImage();
    const digest = await adapter().push(reference, UNGUARDED);
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await isThere(reference, digest)).toBe(true);
    expect(await problemOf(adapter('wrong').remove(reference, digest))).toBe('registry_denied');
    expect(await isThere(reference, digest)).toBe(true);
    expect(await adapter().remove(reference, digest)).toBe(true);
    expect(await isThere(reference, digest)).toBe(false);
    expect(await adapter().remove(reference, digest)).toBe(true);
  });

  it('refuses a wrong password, and sends the login for no other image', async () => {
    expect(await problemOf(adapter('wrong').push(await anImage(), UNGUARDED))).toBe('registry_denied');
    const other = `${host}/builds/other:1`;
    await makeImage(other);
    expect(await problemOf(adapter().push(other, UNGUARDED))).toBe('registry_denied');
  });

  it('may be away for a moment in the middle of a push', async () => {
    const reference = await anImage();
    const isCut = gate.cutAfter(100_000);
    const pushed = adapter().push(reference, UNGUARDED);
    await isCut;
    await gate.open();
    // The engine tries again after five seconds.
    expect(await isThere(reference, await pushed)).toBe(true);
  }, 30_000);

  it('fails a push when it is away, and one that comes to nothing', async () => {
    const reference = await anImage();
    gate.freeze();
    const stuck = adapter(REGISTRY_LOGIN.password, { idleMs: 1_000, totalMs: 2_000 }).push(reference, UNGUARDED);
    await expect(stuck).rejects.toMatchObject({ slug: 'timeout', message: expect.stringMatching(/^The push of/) });
    await gate.cut();
    expect(await problemOf(adapter().push(reference, UNGUARDED))).toBe('registry_unreachable');
    expect(await problemOf(adapter().remove(reference, DIGEST))).toBe('registry_unreachable');
    await gate.open();
  });
});

describe('the API of a registry', () => {
  let server: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const requests: { readonly line: string; readonly authorization: string | undefined }[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { method, url, headers } = request;
      requests.push({ line: `${method} ${url}`, authorization: headers.authorization });
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => requests.splice(0));
  afterAll(() => server.close());

  const hostOf = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = () => new RegistryApi(hostOf(), { ...REGISTRY_LOGIN, serveraddress: hostOf() }, true);
  const BASIC = `Basic ${Buffer.from(`${REGISTRY_LOGIN.username}:${REGISTRY_LOGIN.password}`).toString('base64')}`;
  const challenge = (realm: string) =>
    `Bearer realm="${realm}",service="registry.test",scope="repository:builds/a:delete"`;

  it('gets a token for the password where the registry wants one', async () => {
    answer = ({ url, headers }, response) => {
      if (url?.startsWith('/token')) return response.end(JSON.stringify({ token: 'given' }));
      if (headers.authorization === 'Bearer given') return response.writeHead(202).end();
      response.writeHead(401, { 'www-authenticate': challenge(`http://${hostOf()}/token`) }).end();
    };
    expect(await api().removeManifest('builds/a', DIGEST)).toBe(true);
    const path = `DELETE /v2/builds/a/manifests/${DIGEST}`;
    expect(requests).toEqual([
      { line: path, authorization: BASIC },
      {
        line: 'GET /token?service=registry.test&scope=repository%3Abuilds%2Fa%3Adelete',
        authorization: BASIC,
      },
      { line: path, authorization: 'Bearer given' },
    ]);
  });

  it.each([
    ['file:///etc/passwd', 'no address'],
    ['ftp://127.0.0.1/token', 'another protocol'],
    ['', 'nothing'],
  ])('gives the password to no %s as the giver of tokens', async (realm) => {
    answer = (_, response) => response.writeHead(401, { 'www-authenticate': challenge(realm) }).end();
    expect(await problemOf(api().removeManifest('builds/a', DIGEST))).toBe('registry_denied');
    expect(requests).toHaveLength(1);
  });

  it.each([
    [302, 'registry_failed'],
    [403, 'registry_denied'],
    [500, 'registry_failed'],
  ])('says what is wrong after %i, and follows no redirect', async (status, problem) => {
    answer = (_, response) => response.writeHead(status, { location: `http://${hostOf()}/elsewhere` }).end();
    expect(await problemOf(api().removeManifest('builds/a', DIGEST))).toBe(problem);
    expect(requests).toHaveLength(1);
  });

  it('says when the registry removes nothing', async () => {
    answer = (_, response) => response.writeHead(405).end();
    expect(await api().removeManifest('builds/a', DIGEST)).toBe(false);
  });

  it('is not asked without TLS unless the engine may do so too', async () => {
    answer = (_, response) => response.writeHead(202).end();
    const strict = new RegistryApi(hostOf(), { ...REGISTRY_LOGIN, serveraddress: hostOf() }, false);
    expect(await problemOf(strict.removeManifest('builds/a', DIGEST))).toBe('registry_unreachable');
    expect(requests).toEqual([]);
  });
});

import { SecretText } from '#kernel/crypto/secret-text';
import { HttpsGitHostApi } from '../../libs/services/src/infrastructure/git/https-git-host-api.js';
import { StatusHost } from '../support/git/status-host.js';

const TOKEN = new SecretText('canary-token');

describe('the API of a Git host', () => {
  let host: StatusHost;

  beforeAll(async () => {
    host = await StatusHost.start();
  });
  afterAll(() => host.close());

  const callTo = (name: string) => ({
    host: name,
    port: host.port,
    path: '/api/v1/repos/a/b/statuses/c',
    body: { state: 'success' },
    credential: { header: 'authorization', prefix: 'token ' },
  });
  const api = (allowed: readonly string[], addresses: readonly string[] = ['127.0.0.1']) => {
    const settings = { allowedHosts: new Set(allowed), caFile: host.caFile };
    return new HttpsGitHostApi(settings, () => Promise.resolve(addresses.map((address) => ({ address }))));
  };
  const refusal = (work: Promise<void>) =>
    work.then(
      () => null,
      (error: Error) => ({ ...error, message: error.message }),
    );

  it('is called at the address that was looked up, under the name of the host', async () => {
    await api(['git.test']).post(callTo('git.test'), TOKEN);
    expect(host.taken()).toEqual([
      {
        request: 'POST /api/v1/repos/a/b/statuses/c',
        headers: expect.objectContaining({ host: `git.test:${host.port}`, authorization: 'token canary-token' }),
        body: { state: 'success' },
      },
    ]);
  });

  it.each([
    ['127.0.0.1', ['127.0.0.1']],
    ['localhost', ['127.0.0.1']],
    ['git.test', ['203.0.113.7', '10.0.0.1']],
    ['git.test', ['169.254.169.254']],
    ['[::1]', ['::1']],
  ])('%s at a private address is not called', async (name, addresses) => {
    const refused = await refusal(api([], addresses).post(callTo(name), TOKEN));
    expect(refused).toMatchObject({ message: expect.stringMatching(/has a private address/), isFinal: true });
    expect(host.taken()).toEqual([]);
  });

  it.each([
    [302, true],
    [307, true],
    [401, true],
    [404, true],
    [422, true],
    [429, false],
    [500, false],
    [503, false],
  ])('that answers %i is followed nowhere, and its words are not repeated', async (status, isFinal) => {
    host.answers.push({ status, headers: { location: `https://127.0.0.1:${host.port}/elsewhere` } });
    const refused = await refusal(api(['git.test']).post(callTo('git.test'), TOKEN));
    expect(refused).toMatchObject({ message: expect.stringMatching(`The host answered ${status}`), isFinal });
    expect(JSON.stringify(refused)).not.toContain(TOKEN.reveal());
    expect(host.taken()).toHaveLength(1);
  });

  it('with a certificate of nobody is given no token', async () => {
    const strict = new HttpsGitHostApi({ allowedHosts: new Set(['127.0.0.1']), caFile: null });
    const refused = await refusal(strict.post(callTo('127.0.0.1'), TOKEN));
    expect(refused).toMatchObject({ message: 'The host cannot be reached.', isFinal: false });
    expect(host.taken()).toEqual([]);
  });
});

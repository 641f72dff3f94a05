import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';
import { rawRequest } from '../../../support/http/raw-request.js';

const END = 'Connection: close\r\n\r\n';

describe('an ambiguous request', () => {
  let partner: RunningPartnerApi;
  let panel: RunningPanelApi;

  beforeAll(async () => {
    [partner, panel] = await Promise.all([startPartnerApi(), startPanelApi()]);
  });
  afterAll(async () => {
    await partner?.close();
    await panel?.close();
  });

  const both = () => [partner.url, panel.url];

  it.each([
    ['two Host headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n'],
    ['the same Host twice', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n'],
    ['two credentials', 'GET /healthz HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n'],
    ['two keys', 'GET /healthz HTTP/1.1\r\nHost: a\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\n'],
    ['a coding that nobody undoes', 'POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n'],
  ])('is refused: %s', async (_, head) => {
    for (const url of both()) expect((await rawRequest(url, head + END)).status).toBe(400);
  });

  it('is accepted if both headers agree', async () => {
    const head = 'GET /healthz HTTP/1.1\r\nHost: a\r\nIdempotency-Key: a\r\nIdempotency-Key: a\r\n';
    for (const url of both()) expect((await rawRequest(url, head + END)).status).toBe(200);
  });

  it('opens no tunnel: CONNECT is answered with an error', async () => {
    for (const url of both()) {
      const answer = await rawRequest(url, `CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n${END}`);
      expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([
        405,
        expect.stringMatching(/^method.not.allowed$/),
      ]);
    }
  });

  it.each(['/docs/../../package.json', '/api/v1/docs/..%2f..%2fpackage.json', '/docs/%2e%2e/%2e%2e/package.json'])(
    'climbs nowhere: %s is a plain 404 of both',
    async (path) => {
      for (const url of both()) {
        const answer = await rawRequest(url, `GET ${path} HTTP/1.1\r\nHost: a\r\n${END}`);
        expect([answer.status, JSON.parse(answer.body).error.message]).toEqual([404, 'The resource does not exist.']);
      }
    },
  );
});

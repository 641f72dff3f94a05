import { once } from 'node:events';
import { connect } from 'node:net';
import { Tokens } from '#libs/tokens';
import { aPartner } from '../../../support/builders/a-partner.js';
import { startPartnerApi, type RunningPartnerApi } from '../../../support/partner-api.js';
import { rawRequest } from '../../../support/http/raw-request.js';
import { missingSecurityHeaders } from '../../../support/http/security-headers.js';

describe('errors of every origin have the same shape', () => {
  let api: RunningPartnerApi;
  let token: string;

  beforeAll(async () => {
    api = await startPartnerApi();
    token = (await aPartner(api.app)).writeToken;
  });

  afterAll(() => api.close());

  const expectShape = (body: unknown, code: string) =>
    expect(body).toEqual({ error: { code, message: expect.any(String) } });

  it.each([
    ['unknown route', 'GET', '/v1/nothing', 404, 'not-found'],
    ['unknown root', 'GET', '/', 404, 'not-found'],
    ['NUL in the path', 'GET', '/v1/%00/x', 404, 'not-found'],
    ['bad percent-encoding', 'GET', '/v1/%zz', 404, 'not-found'],
    ['bad UTF-8 in a path id', 'GET', '/v1/licenses/%ff', 404, 'not-found'],
    ['a path id longer than any', 'DELETE', `/v1/tokens/${'a'.repeat(5000)}`, 404, 'not-found'],
    ['other method', 'PUT', '/v1/tokens', 405, 'method-not-allowed'],
    ['empty name in the path', 'GET', '/v1/tokens/', 404, 'not-found'],
    ['long path parameter', 'DELETE', `/v1/tokens/${'a'.repeat(3000)}`, 404, 'not-found'],
  ])('%s', async (_name, method, path, status, code) => {
    const answer = await api.as(token).call(method, path);
    expect(answer.status).toBe(status);
    expectShape(answer.body, code);
  });

  it('405 names the methods of the path', async () => {
    const answer = await api.as(token).call('PATCH', '/v1/me');
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });

  it('404 for an unknown path, whatever the method', async () => {
    expect((await api.as(token).call('PUT', '/v1/nothing')).status).toBe(404);
  });

  it.each([
    ['no JSON', '{bad', 'application/json', 400, 'bad-request'],
    ['no JSON type', 'a=b', 'application/x-www-form-urlencoded', 415, 'unsupported-media-type'],
    ['text', '{"label":"x","scope":"read"}', 'text/plain', 415, 'unsupported-media-type'],
    ['Latin-1', '{}', 'application/json; charset=iso-8859-1', 415, 'unsupported-media-type'],
    ['Latin-1 in quotes', '{}', 'application/json;CHARSET="ISO-8859-1"', 415, 'unsupported-media-type'],
    ['a list', '[]', 'application/json', 422, 'unprocessable-entity'],
    ['a number', '1', 'application/json', 422, 'unprocessable-entity'],
    ['null', 'null', 'application/json', 422, 'unprocessable-entity'],
    ['20,000 nested arrays', '['.repeat(20_000) + ']'.repeat(20_000), 'application/json', 422, 'unprocessable-entity'],
    ['300 KB', JSON.stringify({ label: 'x'.repeat(300_000) }), 'application/json', 413, 'payload-too-large'],
  ])('a body that is %s', async (_name, raw, type, status, code) => {
    const answer = await api.as(token).call('POST', '/v1/tokens', { raw, headers: { 'content-type': type } });
    expect(answer.status).toBe(status);
    expectShape(answer.body, code);
  });

  it('a body that is not UTF-8 counts as invalid JSON, and nothing is stored', async () => {
    const raw = Buffer.from('7b226c6162656c223a22fffe222c2273636f7065223a2272656164227d', 'hex');
    const answer = await fetch(`${api.url}/v1/tokens`, {
      method: 'POST',
      body: raw,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
    expectShape(await answer.json(), 'bad-request');
  });

  it('__proto__ is an unknown key like any other', async () => {
    const raw =
      '{"label":"x","scope":"read","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    const answer = await api.as(token).call('POST', '/v1/tokens', { raw });
    expect(answer.status).toBe(201);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each([
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/vnd.x+json; charset=utf8',
  ])('the JSON type %s is accepted', async (type) => {
    const raw = JSON.stringify({ label: 'charset', scope: 'read' });
    const headers = { 'content-type': type };
    expect((await api.as(token).call('POST', '/v1/tokens', { raw, headers })).status).toBe(201);
  });

  it('credentials are checked before the body is read', async () => {
    const answer = await api.as(null).call('POST', '/v1/tokens', { raw: '{bad' });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expectShape(answer.body, 'unauthorized');
  });

  const VALID = 'GET /v1/me HTTP/1.1\r\nHost: x\r\n';
  it.each([
    ['a missing Host', 'GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['an unknown method', 'FOO /v1/me HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    [
      'conflicting lengths',
      'POST /v1/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['garbage', 'GARBAGE\r\n\r\n', 400],
    ['headers beyond 16 KB', `${VALID}X-Big: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a bad Expect', `${VALID}Expect: miracle\r\nConnection: close\r\n\r\n`, 417],
  ])('%s, below the framework', async (_name, request, status) => {
    const answer = await rawRequest(api.url, request);
    expect(answer.status).toBe(status);
    expect(answer.headers['x-request-id']).toBeTruthy();
    expect(missingSecurityHeaders((header) => answer.headers[header])).toEqual([]);
    expectShape(JSON.parse(answer.body), 'bad-request');
  });

  it('errors below the framework are answered even after a valid request on the same connection', async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.write(`GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    await once(socket, 'data');
    const first = text.length;
    socket.write(`${VALID}X-Big: ${'a'.repeat(20_000)}\r\n\r\n`);
    await once(socket, 'close');
    expect(text.slice(0, first)).toMatch(/^HTTP\/1\.1 200 /);
    expect(text.slice(first)).toMatch(/HTTP\/1\.1 431 [^]*x-request-id: [^]*"code":"bad-request"/i);
  });

  it('a request whose body never arrives is ended', async () => {
    const server = api.app.getHttpServer() as { requestTimeout: number; headersTimeout: number };
    const limits = { requestTimeout: server.requestTimeout, headersTimeout: server.headersTimeout };
    expect(limits).toEqual({ requestTimeout: 15_000, headersTimeout: 10_000 });
    try {
      // The same code with a shorter timeout.
      Object.assign(server, { requestTimeout: 300, headersTimeout: 200 });
      const half =
        `POST /v1/tokens HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"label"';
      const answer = await rawRequest(api.url, half, 8_000);
      expect(answer.status).toBe(408);
      expectShape(JSON.parse(answer.body), 'bad-request');
      const halfHead = await rawRequest(api.url, 'GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Slow: ', 8_000);
      expect(halfHead.status).toBe(408);
    } finally {
      Object.assign(server, limits);
    }
  });

  it('a valid request id is returned and any other is replaced', async () => {
    const good = await api.as(token).get('/v1/me', { 'x-request-id': 'order-17.a' });
    expect(good.headers.get('x-request-id')).toBe('order-17.a');
    const bad = await api.as(token).get('/v1/me', { 'x-request-id': '<script>' });
    expect(bad.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('an unexpected exception is hidden and logged', async () => {
    const tokens = api.app.get(Tokens, { strict: false });
    const list = jest.spyOn(tokens, 'list').mockRejectedValueOnce(new Error('secret detail of the internals'));
    const answer = await api.as(token).get('/v1/tokens');
    list.mockRestore();
    expect(answer.status).toBe(500);
    expectShape(answer.body, 'internal-error');
    expect(answer.text).not.toContain('secret detail');
    expect(api.logs()).toContain('secret detail of the internals');
  });
});

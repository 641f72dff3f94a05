import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const MEDIA_TYPE = 'application/vnd.api+json';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export type KeygenFault =
  /** Never answers. With `acts`, the call has its effect first. */
  | { kind: 'silence'; acts: boolean }
  /** Cuts the connection. */
  | { kind: 'cut'; acts: boolean }
  /** Answers with an error, a redirect or garbage. */
  | { kind: 'answer'; acts: boolean; status: number; body?: string; headers?: Record<string, string> };

interface KeygenBody {
  readonly data: {
    readonly type: string;
    readonly id: string;
    readonly attributes: {
      readonly key?: string;
      readonly expiry?: string | null;
      readonly metadata?: Record<string, unknown>;
    };
    readonly relationships?: { readonly policy?: { readonly data?: { readonly id?: string } } };
  };
}

export interface KeygenRequest {
  readonly method: string;
  /** Relative to the account. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: KeygenBody | undefined;
}

const NO_BODY: KeygenBody = { data: { type: '', id: '', attributes: {} } };

interface StubLicense {
  key: string;
  policyId: string;
  expiry: string | null;
  suspended: boolean;
  metadata: Record<string, unknown>;
}

interface StubAnswer {
  readonly status: number;
  readonly json?: object;
}

/** An HTTP server with Keygen's license routes. It validates requests like Keygen and can fail on demand. */
export class KeygenStub {
  readonly accountId = 'demo-account';
  readonly token = `prod-${randomBytes(16).toString('hex')}`;
  readonly licenses = new Map<string, StubLicense>();
  readonly requests: KeygenRequest[] = [];
  /** Every key so far, to check that none gets into logs or tables. */
  readonly keys: string[] = [];
  /** Called when a request will never be answered. */
  onSilence: () => void = () => undefined;
  private readonly faults: { on: RegExp; fault: KeygenFault }[] = [];
  private server: Server;

  constructor(readonly policies: readonly string[]) {}

  async start(): Promise<this> {
    this.server = createServer((request, response) => {
      this.handle(request, response).catch((error: Error) => response.destroy(error));
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Lets the next requests whose `METHOD path` matches fail, one per fault. */
  failNext(on: RegExp, ...faults: KeygenFault[]): void {
    this.faults.push(...faults.map((fault) => ({ on, fault })));
  }

  clearFaults(): void {
    this.faults.length = 0;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const prefix = `/v1/accounts/${this.accountId}/`;
    const sent = await text(request);
    const path = request.url?.startsWith(prefix) ? request.url.slice(prefix.length) : null;
    const call = { method: request.method ?? '', path: path ?? request.url ?? '', headers: request.headers };
    const received = { ...call, body: sent === '' ? undefined : (JSON.parse(sent) as KeygenBody) };
    this.requests.push(received);
    const at = this.faults.findIndex(({ on }) => on.test(`${received.method} ${received.path}`));
    const fault = at < 0 ? undefined : this.faults.splice(at, 1)[0]?.fault;
    const answer = fault && !fault.acts ? null : path === null ? notFound() : this.answer(received);
    if (fault?.kind === 'silence') this.onSilence();
    if (fault) return spoil(fault, response);
    response
      .writeHead(answer!.status, { 'content-type': MEDIA_TYPE })
      .end(answer!.json && JSON.stringify(answer!.json));
  }

  private answer(request: KeygenRequest): StubAnswer {
    const { method, path, headers, body } = request;
    if (headers.authorization !== `Bearer ${this.token}`) return refusal(401, 'TOKEN_INVALID');
    if (headers.accept !== MEDIA_TYPE || headers['keygen-version'] !== '1.8') return refusal(400, 'VERSION_INVALID');
    if (body !== undefined && headers['content-type'] !== MEDIA_TYPE) return refusal(400, 'CONTENT_TYPE_INVALID');
    const [resource, id = '', ...rest] = path.split('/');
    if (resource === 'policies' && method === 'GET') return this.policy(id);
    if (resource !== 'licenses') return notFound();
    if (method === 'POST' && id === '') return body ? this.create(body) : refusal(400);
    const license = this.licenses.get(id);
    if (!license) return notFound();
    return this.onLicense(`${method} ${rest.join('/')}`.trim(), id, license, body ?? NO_BODY);
  }

  private onLicense(action: string, id: string, license: StubLicense, body: KeygenBody): StubAnswer {
    switch (action) {
      case 'GET':
        return shown(200, id, license);
      case 'PATCH':
        return this.patch(id, license, body);
      case 'PUT policy':
        return this.changePolicy(id, license, body);
      case 'POST actions/suspend':
        return this.switchSuspension(id, license, true);
      case 'POST actions/reinstate':
        return this.switchSuspension(id, license, false);
      case 'DELETE actions/revoke':
        this.licenses.delete(id);
        return { status: 204 };
      default:
        return notFound();
    }
  }

  private create(body: KeygenBody): StubAnswer {
    const { type, id, attributes, relationships } = body.data;
    const policyId = relationships?.policy?.data?.id ?? '';
    if (type !== 'licenses' || !UUID.test(id)) return refusal(400, undefined, '/data/id');
    if (!this.policies.includes(policyId)) return refusal(422, 'POLICY_NOT_FOUND', '/data/relationships/policy');
    if (this.licenses.has(id)) return refusal(422, 'ID_CONFLICT', '/data/id');
    const taken = [...this.licenses.values()].some((other) => other.key === attributes.key);
    if (taken) return refusal(422, 'KEY_TAKEN', '/data/attributes/key');
    const key = attributes.key ?? randomBytes(16).toString('hex').toUpperCase().match(/.{6}/g)!.join('-') + '-V3';
    this.keys.push(key);
    const metadata = recased(attributes.metadata ?? {});
    const license = { key, policyId, expiry: attributes.expiry ?? null, suspended: false, metadata };
    this.licenses.set(id, license);
    return shown(201, id, license);
  }

  private patch(id: string, license: StubLicense, body: KeygenBody): StubAnswer {
    const { expiry, metadata } = body.data.attributes;
    if (expiry !== undefined) license.expiry = expiry;
    if (metadata !== undefined) license.metadata = recased(metadata);
    return shown(200, id, license);
  }

  private changePolicy(id: string, license: StubLicense, body: KeygenBody): StubAnswer {
    if (body.data.type !== 'policies') return refusal(400, undefined, '/data/type');
    if (!this.policies.includes(body.data.id)) return refusal(422, 'POLICY_NOT_FOUND', '/data/relationships/policy');
    license.policyId = body.data.id;
    return shown(200, id, license);
  }

  private switchSuspension(id: string, license: StubLicense, suspended: boolean): StubAnswer {
    if (license.suspended === suspended) return refusal(422, undefined, '/data/attributes/suspended');
    license.suspended = suspended;
    return shown(200, id, license);
  }

  private policy(id: string): StubAnswer {
    if (!this.policies.includes(id)) return notFound();
    return { status: 200, json: { data: { type: 'policies', id, attributes: { name: 'a policy', duration: null } } } };
  }
}

function spoil(fault: KeygenFault, response: ServerResponse): void {
  if (fault.kind === 'cut') response.destroy();
  if (fault.kind === 'answer') response.writeHead(fault.status, fault.headers).end(fault.body);
}

/** Like Keygen, every response with a license contains the full key. */
function shown(status: number, id: string, { key, policyId, expiry, suspended, metadata }: StubLicense): StubAnswer {
  const attributes = { name: null, key, expiry, status: 'ACTIVE', uses: 0, suspended, scheme: null, metadata };
  const relationships = { policy: { data: { type: 'policies', id: policyId } } };
  return { status, json: { data: { type: 'licenses', id, attributes, relationships } } };
}

function refusal(status: number, code?: string, pointer?: string): StubAnswer {
  const error = {
    title: 'Refused',
    detail: 'is refused',
    ...(code && { code }),
    ...(pointer && { source: { pointer } }),
  };
  return { status, json: { errors: [error] } };
}

function notFound(): StubAnswer {
  return refusal(404, 'NOT_FOUND');
}

/** Like Keygen, returns the names in metadata in lowerCamelCase. */
function recased(metadata: Record<string, unknown>): Record<string, unknown> {
  const camel = (key: string) =>
    key.replace(/[_-]+(\w)/g, (_match, letter: string) => letter.toUpperCase()).replace(/^\w/, (c) => c.toLowerCase());
  return Object.fromEntries(Object.entries(metadata).map(([key, value]) => [camel(key), value]));
}

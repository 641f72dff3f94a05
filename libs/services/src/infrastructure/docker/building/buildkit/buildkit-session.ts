import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { Server, ServerCredentials, status, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import type { SecretText } from '#kernel/crypto/secret-text';
import type { EngineConnection } from '../../engine/engine-connection.js';
import { readSecretRequest, writeSecretResponse } from './buildkit-messages.js';

const SECRETS = {
  GetSecret: {
    path: '/moby.buildkit.secrets.v1.Secrets/GetSecret',
    requestStream: false,
    responseStream: false,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: readSecretRequest,
    responseSerialize: writeSecretResponse,
    responseDeserialize: () => ({ data: Buffer.alloc(0) }),
  },
};

const SERVING = Buffer.from([0x08, 0x01]);

/** The engine checks the session every second and closes it if it is not reported as healthy. */
const HEALTH = {
  Check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: () => ({}),
    responseSerialize: (answer: Buffer) => answer,
    responseDeserialize: () => SERVING,
  },
};

/** The connection by which the engine requests a build's secrets. It keeps them only while a step mounts them. */
export class BuildKitSession {
  private constructor(
    readonly id: string,
    private readonly server: Server,
    private readonly socket: Duplex,
  ) {}

  static async open(
    connection: EngineConnection,
    secrets: ReadonlyMap<string, SecretText>,
    signal: AbortSignal,
  ): Promise<BuildKitSession> {
    const id = randomUUID();
    const headers = {
      Upgrade: 'h2c',
      'X-Docker-Expose-Session-Uuid': id,
      'X-Docker-Expose-Session-Name': 'panel',
      'X-Docker-Expose-Session-Grpc-Method': [SECRETS.GetSecret.path],
    };
    const request = { method: 'POST', path: '/session', hijack: true, headers, statusCodes: { 200: true, 101: true } };
    const socket = (await connection.dial({ timeoutMs: connection.readTimeoutMs, signal }, request)) as Duplex;
    socket.on('error', () => undefined);
    const server = new Server();
    server.addService(SECRETS, { GetSecret: answerFrom(secrets) });
    server.addService(HEALTH, { Check: (_: unknown, answer: sendUnaryData<Buffer>) => answer(null, SERVING) });
    server.createConnectionInjector(ServerCredentials.createInsecure()).injectConnection(socket);
    return new BuildKitSession(id, server, socket);
  }

  close(): void {
    this.server.forceShutdown();
    this.socket.destroy();
  }
}

function answerFrom(secrets: ReadonlyMap<string, SecretText>) {
  return (
    { request }: ServerUnaryCall<{ readonly id: string }, { readonly data: Buffer }>,
    answer: sendUnaryData<{ readonly data: Buffer }>,
  ): void => {
    const secret = secrets.get(request.id);
    if (secret) answer(null, { data: Buffer.from(secret.reveal()) });
    else answer({ code: status.NOT_FOUND, details: `there is no build secret ${request.id}` });
  };
}

import {
  ContainerCreateFailed,
  ContainerStartFailed,
  DiskFull,
  EngineUnavailable,
  ImagePullFailed,
  PortConflict,
} from '../../application/ports/engine/container-runtime-errors.js';
import { createFailure, EngineRefusal, pullFailure, refusalOrUnavailable, startFailure } from './docker-errors.js';

const refusal = (message: string, status = 500) => new EngineRefusal(status, message);

describe('an error of dockerode', () => {
  it('means that the engine does not answer if it has no status', () => {
    const error = refusalOrUnavailable(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    expect(error).toBeInstanceOf(EngineUnavailable);
    expect(error).toMatchObject({
      slug: 'docker_unavailable',
      message: 'No Docker engine is responding (ECONNREFUSED).',
    });
  });

  it('contains the engine’s own message if it has a status', () => {
    const told = { statusCode: 409, json: { message: 'Conflict.  The name\nis taken' } };
    const error = refusalOrUnavailable(Object.assign(new Error('(HTTP code 409) unexpected - …'), told));
    expect(error).toMatchObject({ status: 409, message: 'Conflict. The name is taken' });
  });

  it('is truncated if the engine’s message is very long', () => {
    const error = refusalOrUnavailable(
      Object.assign(new Error('x'), { statusCode: 500, json: { message: 'x'.repeat(999) } }),
    );
    expect(error.message).toHaveLength(301);
  });
});

describe('a failed pull', () => {
  it.each([
    ['missing', 'manifest for localhost/x:1 not found: manifest unknown: manifest unknown'],
    ['missing', 'no matching manifest for linux/arm64/v8 in the manifest list entries'],
    ['denied', "pull access denied for x, repository does not exist or may require 'docker login': denied"],
    ['denied', 'Head "https://r.example.com/v2/x/manifests/1": no basic auth credentials'],
    ['denied', 'unauthorized: authentication required'],
    ['unreachable', 'Get "http://127.0.0.1:5000/v2/": dial tcp 127.0.0.1:5000: connect: connection refused'],
    ['unreachable', 'Get "https://r.example.com/v2/": dial tcp: lookup r.example.com: no such host'],
    ['unreachable', 'Get "https://r.example.com/v2/": x509: certificate signed by unknown authority'],
    ['unreachable', 'Get "https://r.example.com/v2/": net/http: TLS handshake timeout'],
    ['unreachable', 'received unexpected HTTP status: 503 Service Unavailable'],
    ['rate_limited', 'toomanyrequests: You have reached your pull rate limit.'],
    ['corrupt', 'filesystem layer verification failed for digest sha256:0'],
    ['failed', 'something nobody has seen before'],
  ])('is %s: %s', (reason, message) => {
    const error = pullFailure('r.example.com/x:1', refusal(message));
    expect(error).toBeInstanceOf(ImagePullFailed);
    expect(error).toMatchObject({ reason, slug: 'image_pull_failed' });
    expect((error as Error).message).toMatch(/^r\.example\.com\/x:1: /);
  });

  it('does not change an error that is not from the engine', () => {
    const lost = new EngineUnavailable('gone');
    expect(pullFailure('x', lost)).toBe(lost);
  });
});

describe('a failed start', () => {
  it.each([
    ['Bind for 0.0.0.0:8080 failed: port is already allocated', '0.0.0.0:8080'],
    ['driver failed: listen tcp4 127.0.0.1:9090: bind: address already in use', '127.0.0.1:9090'],
  ])('is a port conflict: %s', (message, address) => {
    const error = startFailure(refusal(message));
    expect(error).toBeInstanceOf(PortConflict);
    expect((error as Error).message).toBe(`The port ${address} is already in use.`);
  });

  it('otherwise contains the engine’s message', () => {
    expect(startFailure(refusal('exec: "x": not found', 400))).toBeInstanceOf(ContainerStartFailed);
  });
});

describe('a full disk', () => {
  it.each([createFailure, startFailure, (error: unknown) => pullFailure('x', error)])(
    'shows in every step',
    (translate) => {
      expect(translate(refusal('write /var/lib/x: no space left on device'))).toBeInstanceOf(DiskFull);
    },
  );

  it('is distinguished from other failures to create a container', () => {
    expect(createFailure(refusal('No such image', 404))).toBeInstanceOf(ContainerCreateFailed);
  });
});

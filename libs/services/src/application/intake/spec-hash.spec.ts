import { SecretText } from '#kernel/crypto/secret-text';
import type { ContainerPlan } from '../../domain/service-plan.js';
import { specHash, type SpecContent } from './spec-hash.js';

const key = Buffer.alloc(32, 7);

const plan: ContainerPlan = {
  name: 'web',
  image: { ref: 'docker.io/acme/web:1', registry: 'docker.io', repository: 'acme/web', tag: '1', digest: null },
  command: ['serve'],
  entrypoint: null,
  environment: new Map(),
  mounts: [],
  tmpfs: [],
  files: [],
  ports: [],
  expose: [],
  networks: [],
  dependsOn: [],
  healthcheck: null,
  restart: { name: 'always', maximumRetries: 0 },
  stopGraceMs: null,
  stopSignal: null,
  init: false,
  readOnly: false,
  user: null,
  workingDir: null,
  hostname: null,
  shmSizeBytes: null,
  ulimits: [],
  tty: false,
  stdinOpen: false,
  extraHosts: [],
  dns: [],
  labels: new Map(),
  groupAdd: [],
  security: { noNewPrivileges: true, capDrop: ['ALL'], capAdd: [] },
  resources: { cpus: 1, memoryBytes: 1, memoryReservationBytes: null, pids: 1 },
  logging: { driver: 'json-file', maxSizeBytes: 1, maxFiles: 1 },
};

const content: SpecContent = {
  plan,
  imageId: 'sha256:1',
  environment: new Map([
    ['A', new SecretText('1')],
    ['B', new SecretText('2')],
  ]),
  files: [{ path: '/run/secrets/a', content: new SecretText('x'), uid: 0, gid: 0, mode: 0o444 }],
};

describe('the hash of a container specification', () => {
  it('is 64 hexadecimal digits', () => {
    expect(specHash(content, key)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('does not depend on the order of variables, which means nothing', () => {
    const reversed = new Map([...content.environment].reverse());
    expect(specHash({ ...content, environment: reversed }, key)).toBe(specHash(content, key));
  });

  it.each<[string, Partial<SpecContent>]>([
    ['the image', { imageId: 'sha256:2' }],
    ['the command', { plan: { ...plan, command: ['serve', '-v'] } }],
    ['the order of arguments', { plan: { ...plan, command: ['-v', 'serve'] } }],
    ['a label', { plan: { ...plan, labels: new Map([['tier', 'back']]) } }],
    ['a limit', { plan: { ...plan, resources: { ...plan.resources, pids: 2 } } }],
    ['the value of a variable', { environment: new Map([...content.environment, ['B', new SecretText('3')]]) }],
    ['the content of a file', { files: [{ ...content.files[0]!, content: new SecretText('y') }] }],
    ['a permission', { files: [{ ...content.files[0]!, mode: 0o400 }] }],
  ])('changes with %s', (_, change) => {
    expect(specHash({ ...content, ...change }, key)).not.toBe(specHash(content, key));
  });

  it('cannot be tried out without the key', () => {
    expect(specHash(content, Buffer.alloc(32, 8))).not.toBe(specHash(content, key));
    expect(() => specHash(content, Buffer.alloc(16))).toThrow(RangeError);
  });
});

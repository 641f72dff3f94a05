import fc from 'fast-check';
import { stringify } from 'yaml';
import { Invalid } from '#kernel/errors';
import type { ServicePlan } from '../../../libs/services/src/domain/service-plan.js';
import { REFUSED_SERVICE_KEYS } from '../../../libs/services/src/domain/compose/refused-keys.js';
import { aContext } from '../../support/builders/a-plan-context.js';
import { plan } from './planning.js';

/** Pieces that attackers combine: half of them harmless, half of them aimed at the host. */
const word = fc.constantFrom(
  'data',
  'web',
  '/',
  '/etc',
  '..',
  './x',
  '/var/run/docker.sock',
  'host',
  '~',
  'a:/b',
  'c',
  '${HOME}',
  '$X',
  '',
);
const path = fc.constantFrom('/data', '/x', '/', '/proc', '../x', 'relative');
const mount = fc.oneof(
  fc.tuple(word, path).map(([source, target]) => `${source}:${target}`),
  fc.tuple(word, path, fc.constantFrom('ro', 'z', 'rshared', 'nocopy')).map((parts) => parts.join(':')),
  fc.record(
    {
      type: fc.constantFrom('volume', 'bind', 'tmpfs', 'npipe'),
      source: word,
      target: path,
      bind: fc.constant({ propagation: 'rshared' }),
      volume: fc.record({ nocopy: fc.boolean(), subpath: word }, { requiredKeys: [] }),
      tmpfs: fc.record({ size: fc.constantFrom('1m', 0, '9g') }, { requiredKeys: [] }),
    },
    { requiredKeys: ['type', 'target'] },
  ),
);
const port = fc.oneof(
  fc.constantFrom('8080:80', '22:22', '0.0.0.0:9000:80', '127.0.0.1:9001:81/udp', '1-9:1-9', '80'),
  fc.record({ target: fc.nat(70_000), published: fc.nat(70_000) }),
);
const namespace = fc.constantFrom('host', 'bridge', 'none', 'container:x', 'service:web');
const sensible = {
  image: fc.constantFrom('nginx', 'nginx:1', 'localhost:5000/x', '10.0.0.1/x', 'ghcr.io/a/b:1'),
  command: fc.oneof(word, fc.array(word, { maxLength: 2 })),
  environment: fc.oneof(
    fc.dictionary(fc.constantFrom('A', 'B'), word),
    fc.array(fc.constantFrom('A=1', 'B', 'C=${secret:S}')),
  ),
  volumes: fc.array(mount, { maxLength: 3 }),
  tmpfs: fc.oneof(
    path,
    fc.array(
      fc.tuple(path, fc.constantFrom('size=1m', 'exec', 'size=1m,mode=777')).map((parts) => parts.join(':')),
      { maxLength: 2 },
    ),
  ),
  ports: fc.array(port, { maxLength: 2 }),
  networks: fc.oneof(
    fc.array(fc.constantFrom('front', 'host', 'default'), { maxLength: 2 }),
    fc.constant({ front: { ipv4_address: '10.0.0.2' } }),
  ),
  depends_on: fc.array(fc.constantFrom('web', 'db'), { maxLength: 2 }),
  cap_add: fc.array(fc.constantFrom('CHOWN', 'SYS_ADMIN', 'ALL', 'KILL')),
  security_opt: fc.array(fc.constantFrom('no-new-privileges', 'seccomp=unconfined')),
  labels: fc.dictionary(fc.constantFrom('a', 'panel.x', 'traefik.enable'), word),
  logging: fc.record({ driver: fc.constantFrom('local', 'syslog', 'json-file') }),
  mem_limit: fc.constantFrom('64m', '9g', 128),
  init: fc.boolean(),
};
const refused = Object.fromEntries(
  REFUSED_SERVICE_KEYS.map((key) => [key, fc.oneof(namespace, fc.boolean(), fc.array(word, { maxLength: 1 }))]),
);
const service = fc.oneof(
  { weight: 3, arbitrary: fc.record(sensible, { requiredKeys: ['image'] }) },
  { weight: 1, arbitrary: fc.record({ ...sensible, ...refused }, { requiredKeys: ['image'] }) },
  // Few keys: most of these are planned, so that the property speaks about plans and not about refusals alone.
  {
    weight: 16,
    arbitrary: fc.record({
      image: fc.constantFrom('nginx:1', 'ghcr.io/a/b'),
      volumes: fc.array(fc.constantFrom('data:/data', 'data:/z', 'data:/y:ro'), { maxLength: 2 }),
    }),
  },
);
const volume = fc.constantFrom(
  null,
  {},
  { driver: 'local' },
  { driver_opts: { type: 'none', o: 'bind', device: '/etc' } },
  { external: true },
);
const network = fc.constantFrom(
  null,
  {},
  { driver: 'bridge' },
  { driver: 'host' },
  { external: true },
  { driver_opts: { parent: 'eth0' } },
);
const file = fc.record(
  {
    services: fc.dictionary(fc.constantFrom('web', 'db', 'x-y'), service, { minKeys: 1, maxKeys: 2 }),
    volumes: fc.record({ data: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, volume) }),
    networks: fc.record({ front: network }),
  },
  { requiredKeys: ['services', 'volumes'] },
);

/** Every key that ever appears in a plan; what is not among them has no way to the engine. */
const PLAN_KEYS = new Set(
  (
    'serviceId containers networks volumes warnings name image command entrypoint environment mounts tmpfs files ports expose dependsOn ' +
    'healthcheck restart stopGraceMs stopSignal init readOnly user workingDir hostname shmSizeBytes ulimits tty stdinOpen extraHosts dns ' +
    'labels groupAdd security resources logging ref registry repository tag digest volume target noCopy sizeBytes mode uid gid kind source ' +
    'content hostIp hostPort containerPort protocol port network aliases container condition required test intervalMs timeoutMs ' +
    'startPeriodMs startIntervalMs retries maximumRetries soft hard host ip noNewPrivileges capDrop capAdd cpus memoryBytes ' +
    'memoryReservationBytes pids driver maxSizeBytes maxFiles key internal path code message'
  ).split(' '),
);

function keysOf(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) value.forEach((item) => keysOf(item, found));
  else if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    for (const [key, item] of Object.entries(value)) keysOf(item, found.add(key));
  return found;
}

function planned(text: string): ServicePlan | null {
  try {
    return plan(text);
  } catch (error) {
    if (error instanceof Invalid) return null;
    throw error;
  }
}

describe('for any compose file', () => {
  it('the plan reaches no path, no namespace, no driver and no name outside the service, or there is none', () => {
    let plans = 0;
    fc.assert(
      fc.property(file, (content) => {
        const made = planned(stringify(content));
        if (made === null) return;
        plans += 1;
        expect([...keysOf(made)].filter((key) => !PLAN_KEYS.has(key))).toEqual([]);
        const volumes = new Set(made.volumes.map(({ name }) => name));
        const networks = new Set(made.networks.map(({ name }) => name));
        for (const name of [...volumes, ...networks]) expect(name).toMatch(/^svc_[a-zA-Z0-9_.-]+$/);
        for (const container of made.containers) {
          expect(container.mounts.every(({ volume: name }) => volumes.has(name))).toBe(true);
          expect(container.networks.every(({ network: name }) => networks.has(name))).toBe(true);
          expect(container.security.noNewPrivileges).toBe(true);
          expect(container.security.capAdd).not.toContain('SYS_ADMIN');
          expect(container.ports.every(({ hostIp, hostPort }) => hostIp === '127.0.0.1' && hostPort >= 1024)).toBe(
            true,
          );
          expect(['json-file', 'local']).toContain(container.logging.driver);
        }
        const memory = made.containers.reduce((sum, { resources }) => sum + resources.memoryBytes, 0);
        expect(memory).toBeLessThanOrEqual(aContext().resourceLimits.memoryMb * 1024 ** 2);
      }),
      { numRuns: 1000 },
    );
    expect(plans).toBeGreaterThan(50);
  });

  it('a file is either planned or refused as invalid with pointers, never anything else', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 60 }),
          fc.json().map((json) => `services: {web: ${json}}`),
          fc.json(),
        ),
        (text) => {
          try {
            plan(text);
          } catch (error) {
            expect(error).toBeInstanceOf(Invalid);
            expect((error as Invalid).violations.length).toBeGreaterThan(0);
            expect((error as Invalid).violations.every(({ path: at }) => at === '' || at.startsWith('/'))).toBe(true);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('the same file gives the same plan', () => {
    fc.assert(
      fc.property(file, (content) => {
        const text = stringify(content);
        expect(planned(text)).toEqual(planned(text));
      }),
      { numRuns: 300 },
    );
  });

  it('a value given for a variable stays one text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (value) => {
        const made = plan(
          'services:\n  web:\n    image: nginx:1\n    command: ["${V}"]\n    environment: {V: "${V}"}\n',
          {
            variables: new Map([['V', value]]),
          },
        );
        expect(made.containers[0]?.command).toEqual([value]);
        expect(made.containers[0]?.environment.get('V')?.resolve(new Map()).reveal()).toBe(value);
      }),
      { numRuns: 500 },
    );
  });
});

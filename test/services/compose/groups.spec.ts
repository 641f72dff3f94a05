import { plan, refusal } from './planning.js';

const MIB = 1024 ** 2;

describe('dependencies', () => {
  it('put a container after all it depends on and otherwise keep the order of the file', () => {
    const { containers } = plan(`
services:
  web: {image: "x:1", depends_on: {api: {condition: service_healthy, restart: true}}}
  cron: {image: "x:1"}
  api: {image: "x:1", depends_on: [db, cache]}
  cache: {image: "x:1"}
  migrate: {image: "x:1"}
  db: {image: "x:1", depends_on: {migrate: {condition: service_completed_successfully, required: false}}}
`);
    expect(containers.map(({ name }) => name)).toEqual(['migrate', 'db', 'cache', 'api', 'web', 'cron']);
    const dependsOn = Object.fromEntries(containers.map((container) => [container.name, container.dependsOn]));
    expect(dependsOn.web).toEqual([{ container: 'api', condition: 'service_healthy', restart: true, required: true }]);
    expect(dependsOn.api?.map(({ condition }) => condition)).toEqual(['service_started', 'service_started']);
    expect(dependsOn.db).toEqual([
      { container: 'migrate', condition: 'service_completed_successfully', restart: false, required: false },
    ]);
  });

  it('that go in a circle are refused with the names on it', () => {
    const { slug, violations } = refusal(
      'services:\n  a: {image: "x:1", depends_on: [b]}\n  b: {image: "x:1", depends_on: [c]}\n  c: {image: "x:1", depends_on: [a]}\n',
    );
    expect(slug).toBe('validation_failed');
    expect(violations).toEqual([
      { path: '/services/c/depends_on', code: 'validation_failed', message: expect.stringContaining('a → b → c → a') },
    ]);
  });

  it('on itself and on nothing are refused', () => {
    expect(refusal('services: {a: {image: "x:1", depends_on: [a]}}').paths).toEqual(['/services/a/depends_on']);
    expect(refusal('services: {a: {image: "x:1", depends_on: [b]}}').paths).toEqual(['/services/a/depends_on/0']);
    expect(
      refusal('services: {a: {image: "x:1", depends_on: {b: {condition: service_started, required: false}}}}').paths,
    ).toEqual(['/services/a/depends_on/b']);
    expect(
      refusal('services: {a: {image: "x:1"}, b: {image: "x:1", depends_on: {a: {condition: ready}}}}').paths,
    ).toEqual(['/services/b/depends_on/a/condition']);
  });
});

describe('waiting for the health of another container', () => {
  const file = (db: string, more = '') =>
    `services:\n  web: {image: "x:1", depends_on: {db: {condition: service_healthy${more}}}}\n  db: {image: "y:1"${db}}\n`;

  it('that says how to check it is fine', () => {
    expect(plan(file(', healthcheck: {test: [CMD, a]}')).warnings).toEqual([]);
  });

  it.each(['', ', healthcheck: {interval: 5s}'])('is a warning where only its image may have a check: %s', (db) => {
    expect(plan(file(db)).warnings).toEqual([
      {
        path: '/services/web/depends_on/db',
        code: 'health_check_unknown',
        message: 'The service db declares no health check. Unless its image has one, the deployment fails here.',
      },
    ]);
  });

  it.each([', healthcheck: {disable: true}', ', healthcheck: {test: [NONE]}'])(
    'is refused where it has none for sure, unless it is not required: %s',
    (db) => {
      const path = '/services/web/depends_on/db';
      expect(refusal(file(db)).violations).toEqual([
        {
          path,
          code: 'validation_failed',
          message: 'The health check of the service db is disabled, so it never becomes healthy.',
        },
      ]);
      expect(plan(file(db, ', required: false')).warnings).toEqual([]);
    },
  );
});

describe('profiles', () => {
  const withTools = (dependsOn: string): string =>
    `services:\n  web: {image: "x:1", depends_on: ${dependsOn}}\n  tools: {image: "x:1", profiles: [debug], networks: [n]}\nnetworks: {n: }\n`;

  it('keep a service from being started, with a warning', () => {
    const { containers, networks, warnings } = plan(withTools('[]'));
    expect(containers.map(({ name }) => name)).toEqual(['web']);
    expect(networks.map(({ key }) => key)).toEqual(['default']);
    expect(warnings.map(({ path }) => path)).toEqual(['/services/tools/profiles', '/networks/n']);
  });

  it('keep the ports of alternatives from being in each other’s way', () => {
    const file = (second: string): string =>
      `services:\n  web: {image: "x:1", ports: ["8080:80"]}\n  cpu: {image: "x:1", profiles: [cpu], ports: ${second}}\n  gpu: {image: "x:1", profiles: [gpu], ports: ["9000:1"]}\n`;
    expect(plan(file('["8080:80", "9000:1"]')).containers.map(({ name }) => name)).toEqual(['web']);
    expect(refusal(file('["9000:1", "9000:2"]')).paths).toEqual(['/services/cpu/ports/1']);
  });

  it('break a dependency unless it is not required', () => {
    expect(refusal(withTools('[tools]')).paths).toEqual(['/services/web/depends_on/0']);
    expect(plan(withTools('{tools: {condition: service_started, required: false}}')).containers).toHaveLength(1);
  });

  it('do not exempt a service from the policy', () => {
    expect(refusal(withTools('[]').replace('profiles', 'privileged: true, profiles')).paths).toEqual([
      '/services/tools/privileged',
    ]);
  });

  it('on every service leave nothing to start', () => {
    expect(refusal('services: {a: {image: "x:1", profiles: [p]}}').paths).toEqual(['/services']);
  });
});

describe('the limits of the service', () => {
  const limits = { cpuCores: 2, memoryMb: 1000, diskMb: 1 };
  const resources = (text: string): readonly (readonly [string, number, number])[] =>
    plan(text, { resourceLimits: limits }).containers.map(({ name, resources: { cpus, memoryBytes } }) => [
      name,
      cpus,
      memoryBytes / MIB,
    ]);

  it('are shared equally among the containers that ask for nothing', () => {
    expect(resources('services: {a: {image: "x:1"}, b: {image: "x:1"}}')).toEqual([
      ['a', 1, 500],
      ['b', 1, 500],
    ]);
  });

  it('are given as asked, and the rest shared', () => {
    expect(
      resources('services: {a: {image: "x:1", mem_limit: 400m, cpus: 1.5}, b: {image: "x:1"}, c: {image: "x:1"}}'),
    ).toEqual([
      ['a', 1.5, 400],
      ['b', 0.25, 300],
      ['c', 0.25, 300],
    ]);
  });

  it('are given to the last digit, and the rest is shared in hundredths of a core', () => {
    expect(
      resources('services: {a: {image: "x:1", cpus: 0.125}, b: {image: "x:1", cpus: .5}, c: {image: "x:1"}}').map(
        ([name, cpus]) => [name, cpus],
      ),
    ).toEqual([
      ['a', 0.125],
      ['b', 0.5],
      ['c', 1.37],
    ]);
  });

  it('are never exceeded by the sum', () => {
    const { violations } = refusal(
      'services: {a: {image: "x:1", mem_limit: 600m}, b: {image: "x:1", mem_limit: 600m}}',
      { resourceLimits: limits },
    );
    expect(violations.map(({ path, code }) => [path, code])).toEqual([
      ['/services/a', 'resources_exceeded'],
      ['/services/b', 'resources_exceeded'],
    ]);
  });

  it('leave no container without what it needs', () => {
    expect(
      refusal('services: {a: {image: "x:1", mem_limit: 990m}, b: {image: "x:1"}}', { resourceLimits: limits })
        .violations,
    ).toMatchObject([{ path: '/services/b', code: 'resources_exceeded' }]);
  });
});

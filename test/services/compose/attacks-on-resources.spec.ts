import { plan, planWeb, refusal, refusalOfWeb } from './planning.js';

/** One group a row of the table of attacks on compose files. */
describe('ports of the host', () => {
  it('are an administrator’s to give', () => {
    expect(refusalOfWeb('ports: ["8080:80"]', { portsAllowed: false })).toMatchObject({
      slug: 'compose_forbidden',
      paths: ['/services/web/ports'],
    });
  });

  it('are bound to the configured address alone', () => {
    expect(planWeb('ports: ["8080:80"]').ports).toEqual([
      { hostIp: '127.0.0.1', hostPort: 8080, containerPort: 80, protocol: 'tcp' },
    ]);
    expect(planWeb('ports: ["8080:80"]', { portBindAddress: '10.0.0.5' }).ports[0]?.hostIp).toBe('10.0.0.5');
    for (const ip of ['0.0.0.0', '127.0.0.2', '[::]', '192.168.1.1'])
      expect(refusalOfWeb(`ports: ["${ip}:8080:80"]`)).toMatchObject({
        slug: 'compose_forbidden',
        paths: ['/services/web/ports/0'],
      });
    expect(refusalOfWeb('ports: [{target: 80, published: 8080, host_ip: 0.0.0.0}]').slug).toBe('compose_forbidden');
  });

  it.each([
    '22:22',
    '80:80',
    '1023:80',
    '65536:80',
    '1-65535:1-65535',
    '8000-8002:80',
    '8443:443',
    '0:80',
    '99999999999:80',
  ])('are refused: %s', (port) => {
    expect(refusalOfWeb(`ports: ["${port}"]`)).toMatchObject({
      slug: 'compose_forbidden',
      paths: ['/services/web/ports/0'],
    });
  });

  it.each(['80', ':80', '8080:', '8080:0', '8080:80/sctp', 'a:b', '8080:80:90:100', '8080:70000', '-1:80'])(
    'are refused as unreadable: %s',
    (port) => {
      expect(refusalOfWeb(`ports: ["${port}"]`)).toMatchObject({
        slug: 'validation_failed',
        paths: ['/services/web/ports/0'],
      });
    },
  );

  it('are given once in the whole file, whatever the spelling', () => {
    const text =
      'services:\n  a: {image: "x:1", ports: ["8080:80", "8080:81/udp"]}\n  b: {image: "x:1", ports: [{target: 1, published: "8080"}]}\n';
    expect(refusal(text).violations).toMatchObject([{ path: '/services/b/ports/0', code: 'port_conflict' }]);
  });

  it('are at most twenty a service', () => {
    const ports = Array.from({ length: 21 }, (_, index) => `"${9000 + index}:80"`);
    expect(refusalOfWeb(`ports: [${ports.join(', ')}]`).paths).toEqual(['/services/web/ports']);
    expect(planWeb(`ports: [${ports.slice(1).join(', ')}]`).ports).toHaveLength(20);
  });
});

describe('texts that YAML 1.1 would take for something else', () => {
  it('keep their meaning', () => {
    const web = planWeb(
      'environment: {NO: no, ON: on, Y: y, TIME: 22:22, OCTAL: 0440, VERSION: 1.10, BIG: 123456789012345678901, HEX: 0x1F, FLAG: true, N: 5, E: 1e3}\ncommand: [no, 22:22]',
    );
    const clear = Object.fromEntries(
      [...web.environment].map(([name, value]) => [name, value.resolve(new Map()).reveal()]),
    );
    expect(clear).toEqual({
      NO: 'no',
      ON: 'on',
      Y: 'y',
      TIME: '22:22',
      OCTAL: '0440',
      VERSION: '1.10',
      BIG: '123456789012345678901',
      HEX: '0x1F',
      FLAG: 'true',
      N: '5',
      E: '1e3',
    });
    expect(web.command).toEqual(['no', '22:22']);
  });

  it('never make the port 1342 out of 22:22', () => {
    expect(refusalOfWeb('ports: [22:22]').paths).toEqual(['/services/web/ports/0']);
    expect(planWeb('ports: [2222:22]').ports).toMatchObject([{ hostPort: 2222, containerPort: 22 }]);
    expect(planWeb('restart: no').restart.name).toBe('no');
  });
});

describe('abuse of resources', () => {
  it.each([
    ['deploy: {replicas: 1000000}', '/services/web/deploy/replicas'],
    ['scale: 2', '/services/web/scale'],
    ['shm_size: 64g', '/services/web/shm_size'],
    ['tmpfs: ["/x:size=64g"]', '/services/web/tmpfs'],
    ['tmpfs: ["/x:size=0"]', '/services/web/tmpfs/0'],
    ['ulimits: {nofile: 99999999}', '/services/web/ulimits/nofile'],
    ['ulimits: {nproc: -1}', '/services/web/ulimits/nproc'],
    ['ulimits: {rtprio: 99}', '/services/web/ulimits/rtprio'],
    ['oom_score_adj: -1000', '/services/web/oom_score_adj'],
    ['oom_kill_disable: true', '/services/web/oom_kill_disable'],
    ['pids_limit: -1', '/services/web/pids_limit'],
    ['pids_limit: 100000', '/services/web/pids_limit'],
    ['mem_limit: 5g', '/services/web'],
    ['cpus: 5', '/services/web'],
    ['deploy: {resources: {limits: {memory: 5g}}}', '/services/web'],
    ['mem_limit: 0', '/services/web/mem_limit'],
    ['cpus: 0', '/services/web/cpus'],
    ['deploy: {resources: {limits: {memory: 0}}}', '/services/web/deploy/resources/limits/memory'],
    ['deploy: {resources: {limits: {cpus: "0.01"}}}', '/services/web/deploy/resources/limits/cpus'],
    ['deploy: {resources: {limits: {pids: 100000}}}', '/services/web/deploy/resources/limits/pids'],
    ['deploy: {resources: {reservations: {memory: 900g}}}', '/services/web/deploy/resources/reservations/memory'],
    ['deploy: {resources: {reservations: {memory: 4097m}}}', '/services/web/deploy/resources/reservations/memory'],
    ['deploy: {resources: {reservations: {memory: 5m}}}', '/services/web/deploy/resources/reservations/memory'],
    [
      'mem_limit: 64m\ndeploy: {resources: {reservations: {memory: 65m}}}',
      '/services/web/deploy/resources/reservations/memory',
    ],
    ['volumes: [{type: tmpfs, target: /x, tmpfs: {size: 64g}}]', '/services/web/volumes'],
    ['stop_grace_period: 100h', '/services/web/stop_grace_period'],
    ['logging: {options: {max-size: 1g}}', '/services/web/logging/options/max-size'],
    ['logging: {options: {max-file: 100}}', '/services/web/logging/options/max-file'],
    ['logging: {options: {gelf-address: "udp://10.0.0.1"}}', '/services/web/logging/options/gelf-address'],
  ])('is refused: %s', (line, path) => {
    expect(refusalOfWeb(line).paths).toEqual([path]);
  });

  it.each(['syslog', 'gelf', 'fluentd', 'awslogs', 'journald', 'none', 'splunk'])(
    'is refused as the logging driver %s',
    (driver) => {
      expect(refusalOfWeb(`logging: {driver: ${driver}}`)).toMatchObject({
        slug: 'compose_forbidden',
        paths: ['/services/web/logging/driver'],
      });
    },
  );

  it('is not what nobody asked for: a tmpfs without a size fits any container', () => {
    const { tmpfs } = planWeb(
      'mem_limit: 64m\ntmpfs: [/a, "/b:mode=755", "/c:size=64m"]\nvolumes: [{type: tmpfs, target: /d}]',
    );
    expect(tmpfs).toHaveLength(4);
    expect(refusalOfWeb('mem_limit: 64m\ntmpfs: [/a, "/b:size=32m", "/c:size=33m"]').paths).toEqual([
      '/services/web/tmpfs',
    ]);
  });

  it('is bounded where nothing is said: logs, processes, memory', () => {
    expect(planWeb('').logging).toEqual({ driver: 'json-file', maxSizeBytes: 10 * 1024 ** 2, maxFiles: 3 });
    expect(planWeb('').resources).toEqual({
      cpus: 4,
      memoryBytes: 4096 * 1024 ** 2,
      memoryReservationBytes: null,
      pids: 512,
    });
  });

  it('is not a reservation that fits the share of its container', () => {
    const keys = (memory: string) => `deploy: {resources: {reservations: {memory: ${memory}}}}`;
    expect(planWeb(keys('4096m')).resources.memoryReservationBytes).toBe(4096 * 1024 ** 2);
    expect(planWeb(keys('6m')).resources.memoryReservationBytes).toBe(6 * 1024 ** 2);
    const beside = 'services: {db: {image: "x:1"}, web: {image: "x:1", ';
    expect(refusal(`${beside}${keys('2049m')}}}\n`).paths).toEqual([
      '/services/web/deploy/resources/reservations/memory',
    ]);
  });

  it('is refused with more than twenty services', () => {
    const services = (count: number): string =>
      `services:\n${Array.from({ length: count }, (_, i) => `  s${i}: {image: "x:1"}\n`).join('')}`;
    expect(refusal(services(21)).paths).toEqual(['/services']);
    expect(plan(services(20)).containers).toHaveLength(20);
  });
});

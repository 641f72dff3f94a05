import { planWeb, refusal, refusalOfWeb } from './planning.js';

const REST =
  'volumes: {data: }\nnetworks: {front: , back: }\nsecrets: {key: {content: s}}\nconfigs: {conf: {content: c}}\n';

describe('a value of the wrong shape', () => {
  it.each([
    ['image: 5', '/services/web/image'],
    ['command: {a: b}', '/services/web/command'],
    ['command: "a | b"', '/services/web/command'],
    ['command: "a \\"b"', '/services/web/command'],
    ['environment: {A: [b]}', '/services/web/environment/A'],
    ['environment: [A=1, A=2]', '/services/web/environment/1'],
    ['environment: ["${A}=b"]', '/services/web/environment/0'],
    ['restart: sometimes', '/services/web/restart'],
    ['restart: false', '/services/web/restart'],
    ['init: yes', '/services/web/init'],
    ['mem_limit: 5x', '/services/web/mem_limit'],
    ['mem_limit: 1g\ndeploy: {resources: {limits: {memory: 2g}}}', '/services/web/mem_limit'],
    ['cpus: 1\ndeploy: {resources: {limits: {cpus: "2"}}}', '/services/web/cpus'],
    ['stop_grace_period: 90', '/services/web/stop_grace_period'],
    ['healthcheck: {test: [curl, x]}', '/services/web/healthcheck/test'],
    ['healthcheck: {interval: soon}', '/services/web/healthcheck/interval'],
    ['healthcheck: {interval: 100us}', '/services/web/healthcheck/interval'],
    ['healthcheck: {timeout: 1.5ms}', '/services/web/healthcheck/timeout'],
    ['stop_grace_period: 1.0005s', '/services/web/stop_grace_period'],
    ['healthcheck: {interval: -1s}', '/services/web/healthcheck/interval'],
    ['healthcheck: {interval: 9223372036855ms}', '/services/web/healthcheck/interval'],
    ['healthcheck: {timeout: 9223372037s}', '/services/web/healthcheck/timeout'],
    ['healthcheck: {start_period: 2562048h}', '/services/web/healthcheck/start_period'],
    ['healthcheck: {start_interval: 99999999999999999999h}', '/services/web/healthcheck/start_interval'],
    ['stop_grace_period: 99999999999999999999h', '/services/web/stop_grace_period'],
    ['healthcheck: {retries: -1}', '/services/web/healthcheck/retries'],
    ['healthcheck: {retries: 9300000000000000000}', '/services/web/healthcheck/retries'],
    ['stop_signal: SIGFOO', '/services/web/stop_signal'],
    ['stop_signal: SIGRTMIN+16', '/services/web/stop_signal'],
    ['stop_signal: "0"', '/services/web/stop_signal'],
    ['stop_signal: 65', '/services/web/stop_signal'],
    ['stop_signal: 1.5', '/services/web/stop_signal'],
    ['stop_signal: [SIGTERM]', '/services/web/stop_signal'],
    ['healthcheck: {retries: 1.5}', '/services/web/healthcheck/retries'],
    ['expose: [3000-4000]', '/services/web/expose/0'],
    ['expose: [4000-3000]', '/services/web/expose/0'],
    ['extra_hosts: [a]', '/services/web/extra_hosts/0'],
    ['dns: resolver.example', '/services/web/dns'],
    ['ulimits: {nofile: {soft: 10, hard: 5}}', '/services/web/ulimits/nofile'],
    ['volumes: ["data:/a", "data:/a/"]', '/services/web/volumes/1'],
    ['volumes: ["data:a"]', '/services/web/volumes/0'],
    ['networks: [front, front]', '/services/web/networks/1'],
    ['ulimits: {nofile: {soft: 10}}', '/services/web/ulimits/nofile/hard'],
    ['secrets: [key, key]', '/services/web/secrets/1'],
    ['secrets: [{source: key, target: /a}]\nconfigs: [{source: conf, target: //a/}]', '/services/web/configs/0'],
    ['secrets: [{source: key, target: /a}]\nvolumes: ["data:/a"]', '/services/web/secrets/0'],
    ['configs: [{source: conf, target: /a}]\ntmpfs: /a:size=1m', '/services/web/configs/0'],
    ['secrets: [nothing]', '/services/web/secrets/0'],
    ['secrets: [{source: key, mode: 444}]', '/services/web/secrets/0/mode'],
    ['user: "a b"', '/services/web/user'],
    ['hostname: a b', '/services/web/hostname'],
    ['working_dir: app', '/services/web/working_dir'],
    ['labels: {a: {b: c}}', '/services/web/labels/a'],
  ])('is refused with its pointer: %s', (keys, path) => {
    const { slug, paths } = refusalOfWeb(keys, {}, REST);
    expect({ slug, paths }).toEqual({ slug: 'validation_failed', paths: [path] });
  });
});

describe('a list that has no repeats in the Compose specification', () => {
  it.each([
    ['depends_on: [db, db]', 'depends_on/1'],
    ['networks: [front, back, front]', 'networks/2'],
    ['networks: {front: {aliases: [a, b, b, a]}}', 'networks/front/aliases/2', 'networks/front/aliases/3'],
    ['cap_add: [CHOWN, KILL, CHOWN, CHOWN]', 'cap_add/2', 'cap_add/3'],
    ['cap_drop: [ALL, ALL]', 'cap_drop/1'],
    ['security_opt: [no-new-privileges, no-new-privileges]', 'security_opt/1'],
    ['group_add: [100, "100", staff, 100, staff]', 'group_add/3', 'group_add/4'],
    ['expose: [3000, "3000/udp", 3000]', 'expose/2'],
    ['dns: [192.0.2.1, 192.0.2.1]', 'dns/1'],
    ['extra_hosts: ["a:192.0.2.1", "a:192.0.2.1"]', 'extra_hosts/1'],
    ['profiles: [dev, dev]', 'profiles/1'],
    ['cap_add: [KILL, "$NAME"]', 'cap_add/1'],
  ])('is refused with the pointer of each: %s', (keys, ...paths) => {
    const given = { variables: new Map([['NAME', 'KILL']]) };
    const { violations } = refusalOfWeb(keys, given, `  db: {image: "x:1"}\n${REST}`);
    expect(violations).toEqual(
      paths.map((path) => ({
        path: `/services/web/${path}`,
        code: 'validation_failed',
        message: 'It appears twice.',
      })),
    );
  });

  it.each([
    ['ports: ["8080:80", "8080:80"]', 'ports/1'],
    ['volumes: ["data:/a", "data:/a"]', 'volumes/1'],
    ['tmpfs: ["/a:size=1m", "/a:size=1m"]', 'tmpfs/1'],
    ['environment: [A=1, A=1]', 'environment/1'],
    ['labels: [a=1, a=1]', 'labels/1'],
  ])('is refused also where its items are told apart by more than their spelling: %s', (keys, path) => {
    expect(refusalOfWeb(keys, { portsAllowed: true }, REST).paths).toEqual([`/services/web/${path}`]);
  });

  it('has no repeats among items that are wrong themselves', () => {
    expect(refusalOfWeb('cap_add: ["a b", KILL, "a b"]').paths).toEqual([
      '/services/web/cap_add/0',
      '/services/web/cap_add/2',
    ]);
  });

  it.each([
    'command: [a, a]',
    'healthcheck: {test: [CMD, a, a]}',
    'extra_hosts: {a: [192.0.2.1, 192.0.2.1]}',
    'cap_drop: [KILL, kill]',
    'expose: [3000, "3000"]',
  ])('is not every list, nor is what is spelled otherwise a repeat: %s', (keys) => {
    expect(() => planWeb(keys)).not.toThrow();
  });
});

describe('a mistake', () => {
  it.each([
    ['ulimits: {stack: 1.5}', '/services/web/ulimits/stack', 'It must be a whole number or {soft, hard}.'],
    ['healthcheck: {retries: -1.5}', '/services/web/healthcheck/retries', 'It must be a whole number.'],
    ['cap_drop: [KILL, NOPE]', '/services/web/cap_drop/1', 'Unknown capability.'],
    [`hostname: -${'a'.repeat(63)}`, '/services/web/hostname', 'It must be a host name.'],
    [
      'volumes: [{type: 5, source: data, target: /d}]',
      '/services/web/volumes/0/type',
      'It must be one of volume, tmpfs, bind, npipe, cluster, image.',
    ],
  ])('in a value is told once, however many rules it breaks: %s', (keys, path, message) => {
    expect(refusalOfWeb(keys, {}, REST).violations).toEqual([{ path, code: 'validation_failed', message }]);
  });

  it('in a name hides nothing else that is wrong', () => {
    const { paths } = refusal(
      'services:\n  _db: {image: "x:1", pid: host}\n  web: {image: "x:1", ipc: host, depends_on: {_db: {condition: service_started}, b: {condition: service_started}}}\n',
    );
    expect([...paths].sort()).toEqual(
      [
        ...['/services/_db', '/services/_db/pid', '/services/web/ipc', '/services/web/depends_on/_db'],
        '/services/web/depends_on/b',
      ].sort(),
    );
  });

  it.each([
    ['services: {db: , web: {image: "x:1", depends_on: [db]}}', '/services/db'],
    ['services: {_db: {image: "x:1"}, web: {image: "x:1", depends_on: {_db: {condition: service_started}}}}', null],
    ['services: {web: {image: "x:1", networks: [n]}}\nnetworks: {n: [a]}', '/networks/n'],
    ['services: {web: {image: "x:1", volumes: ["vol:/v"]}}\nvolumes: {vol: local}', '/volumes/vol'],
    ['services: {web: {image: "x:1", secrets: [s]}}\nsecrets: {s: text}', '/secrets/s'],
    ['services: {web: {image: "x:1", configs: [c]}}\nconfigs: {c: }', '/configs/c'],
  ])('is told where it is and not again where it is referred to: %s', (text, path) => {
    if (path !== null) expect(refusal(text).paths).toEqual([path]);
    else
      expect(refusal(text).violations.map(({ message }) => message)).not.toContainEqual(expect.stringMatching(/exist/));
  });

  it.each(['services: {_db: {image: "x:1"}}', 'services: {-db: {image: "x:1"}}'])(
    'in a name is told with the whole rule: %s',
    (text) => {
      expect(refusal(text).violations[0]?.message).toContain('begins with a letter or digit');
    },
  );

  it('of variables that were not given is told with their names', () => {
    const { violations } = refusalOfWeb(
      'image: "acme/$IMAGE_A:$TAG"\nports: ["$WEB_PORT:80"]\ncommand: "$GIVEN |"\nmem_limit: ${MEM:-x}',
      { variables: new Map([['GIVEN', 'a']]) },
    );
    const messages = Object.fromEntries(violations.map(({ path, message }) => [path, message]));
    expect(messages['/services/web/image']).toMatch(/IMAGE_A and TAG were not given/);
    expect(messages['/services/web/ports/0']).toMatch(/WEB_PORT was not given/);
    expect(messages['/services/web/command']).not.toContain('given');
    expect(messages['/services/web/mem_limit']).not.toContain('given');
  });

  it('such as a file of the oldest form is told as what it is', () => {
    const { paths, violations } = refusal('web:\n  image: x:1\n  privileged: true\n');
    expect(paths).toEqual(['/services', '/web', '/web/privileged']);
    expect(violations[0]?.message).toContain('oldest file format');
  });
});

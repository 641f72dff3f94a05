import { inspect } from 'node:util';
import { plan, planWeb, refusal, refusalOfWeb } from './planning.js';

/** One group a row of the table of attacks on compose files. */
describe('privileges beyond the hardened profile', () => {
  it('are not granted by default: nothing but what ordinary images need to start', () => {
    expect(planWeb('').security).toEqual({
      noNewPrivileges: true,
      capDrop: ['ALL'],
      capAdd: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'],
    });
    expect(planWeb('').resources.pids).toBe(512);
  });

  it.each([
    'ALL',
    'all',
    'SYS_ADMIN',
    'CAP_SYS_ADMIN',
    'cap_sys_module',
    'SYS_PTRACE',
    'NET_ADMIN',
    'NET_RAW',
    'MKNOD',
    'DAC_READ_SEARCH',
    'BPF',
  ])('are refused as an added capability: %s', (capability) => {
    const { slug, paths } = refusalOfWeb(`cap_add: [CHOWN, ${capability}]`);
    expect({ slug, paths }).toEqual({ slug: 'compose_forbidden', paths: ['/services/web/cap_add/1'] });
  });

  it.each([
    'seccomp:unconfined',
    'apparmor=unconfined',
    'label:disable',
    'no-new-privileges:false',
    'systempaths=unconfined',
    'seccomp=/etc/passwd',
  ])('are refused as a security option: %s', (option) => {
    expect(refusalOfWeb(`security_opt: ["no-new-privileges:true", "${option}"]`).paths).toEqual([
      '/services/web/security_opt/1',
    ]);
  });

  it('are refused as devices of deploy', () => {
    const { slug, paths } = refusalOfWeb('deploy: {resources: {reservations: {devices: [{capabilities: [gpu]}]}}}');
    expect({ slug, paths }).toEqual({
      slug: 'compose_forbidden',
      paths: ['/services/web/deploy/resources/reservations/devices'],
    });
  });
});

describe('namespaces of the host or of others', () => {
  it.each([
    'network_mode: host',
    'network_mode: "container:panel"',
    'network_mode: "service:db"',
    'network_mode: none',
    'pid: host',
    'pid: "container:x"',
    'ipc: host',
    'ipc: shareable',
    'uts: host',
    'cgroup: host',
    'userns_mode: host',
    'volumes_from: ["container:x"]',
  ])('are refused: %s', (line) => {
    const { slug, paths } = refusalOfWeb(line);
    expect({ slug, paths }).toEqual({ slug: 'compose_forbidden', paths: [`/services/web/${line.split(':', 1)[0]}`] });
  });
});

describe('the host’s files', () => {
  it.each([
    '"/:/host"',
    '"/var/run/docker.sock:/var/run/docker.sock"',
    '"./data:/data"',
    '"../:/up"',
    '"~/x:/x"',
    '".:/app"',
    '"//etc:/etc"',
    '"C:/Users:/x"',
    '"c:/x"',
    '"\\\\\\\\server\\\\share:/x"',
    '"${HOME}/x:/x"',
    '"$PWD:/x"',
    '"data/../../etc:/x"',
    '"/anonymous"',
    '"/etc:/etc:ro"',
    '{type: bind, source: /, target: /host}',
    '{type: npipe, source: x, target: /x}',
    '{type: image, source: x, target: /x}',
    '{type: cluster, source: x, target: /x}',
    '{type: volume, source: /etc, target: /x}',
    '{type: volume, source: ../x, target: /x}',
    '{type: volume, target: /x}',
    '{type: volume, source: data, target: /x, bind: {propagation: shared}}',
    '{type: volume, source: data, target: /x, volume: {subpath: ../..}}',
  ])('are refused as a mount: %s', (mount) => {
    const { slug, paths } = refusalOfWeb(`volumes: [${mount}]`, {}, 'volumes: {data: {}}\n');
    expect(slug).toBe('compose_forbidden');
    expect(paths.every((path) => path.startsWith('/services/web/volumes/0'))).toBe(true);
  });

  it.each([
    '{driver_opts: {type: none, o: bind, device: /etc}}',
    '{driver_opts: {type: nfs, o: "addr=10.0.0.1", device: ":/"}}',
    '{driver_opts: {type: tmpfs, device: tmpfs}}',
    '{driver: rclone}',
    '{external: true}',
    '{external: {name: x}}',
    '{name: other_data}',
  ])('are refused as a declared volume: %s', (volume) => {
    const { slug, paths } = refusalOfWeb('volumes: ["data:/data"]', {}, `volumes:\n  data: ${volume}\n`);
    expect(slug).toBe('compose_forbidden');
    expect(paths[0]).toMatch(/^\/volumes\/data\/(driver_opts|driver|external|name)$/);
  });

  it.each(['/x:exec', '/x:size=1m,suid', '/x:dev', '/x:size=1m,mode=1777,nr_inodes=0', '/x:huge=always'])(
    'are not reached by options of a tmpfs: %s',
    (tmpfs) => {
      expect(refusalOfWeb(`tmpfs: "${tmpfs}"`)).toMatchObject({
        slug: 'compose_forbidden',
        paths: ['/services/web/tmpfs'],
      });
    },
  );

  it.each(['/proc', '/proc/sys', '/sys/fs/cgroup', '/dev', '/dev/../proc', '/', '/a/../..', '//', '/./proc'])(
    'are not shadowed by a mount at %s',
    (target) => {
      expect(refusalOfWeb(`volumes: ["data:${target}"]`, {}, 'volumes: {data: }\n').paths).toEqual([
        '/services/web/volumes/0',
      ]);
      expect(refusalOfWeb(`tmpfs: ["${target}:size=1m"]`).paths).toEqual(['/services/web/tmpfs/0']);
    },
  );
});

describe('files read while the plan is made', () => {
  const traversals = [
    '/etc/passwd',
    '../secret',
    './a/../../b',
    'link',
    '/dev/zero',
    '~/.ssh/id_rsa',
    'https://x.example/a.yaml',
    'git@x.example:a.git',
    '\\\\host\\share',
    'a\\..\\b',
    '/proc/self/environ',
    '.',
  ];
  const keys: Readonly<Record<string, (path: string) => string>> = {
    'secrets/x/file': (path) =>
      `services: {web: {image: "nginx:1"}}\nsecrets: {x: {content: c, file: ${JSON.stringify(path)}}}\n`,
    'configs/x/file': (path) =>
      `services: {web: {image: "nginx:1"}}\nconfigs: {x: {content: c, file: ${JSON.stringify(path)}}}\n`,
    'services/web/env_file': (path) => `services: {web: {image: "nginx:1", env_file: ${JSON.stringify(path)}}}\n`,
    'services/web/label_file': (path) => `services: {web: {image: "nginx:1", label_file: ${JSON.stringify(path)}}}\n`,
    'services/web/extends': (path) =>
      `services: {web: {image: "nginx:1", extends: {file: ${JSON.stringify(path)}, service: x}}}\n`,
    'services/web/build': (path) =>
      `services: {web: {image: "nginx:1", build: {context: ${JSON.stringify(path)}, dockerfile: ${JSON.stringify(path)}}}}\n`,
    include: (path) => `include: [${JSON.stringify(path)}]\nservices: {web: {image: "nginx:1"}}\n`,
  };
  it.each(Object.entries(keys))('are none: %s is refused for every spelling of a path', (key, fileWith) => {
    for (const path of traversals)
      expect(refusal(fileWith(path))).toMatchObject({ slug: 'compose_forbidden', paths: [`/${key}`] });
  });
});

describe('the environment of the host', () => {
  const CANARY = 'canary-4711';
  beforeAll(() => (process.env.COMPOSE_CANARY = CANARY));
  afterAll(() => delete process.env.COMPOSE_CANARY);

  it('never appears in a plan', () => {
    const text =
      'services:\n  web:\n    image: nginx:1\n    command: ["$COMPOSE_CANARY", "${COMPOSE_CANARY:-none}"]\n    environment: {A: "${COMPOSE_CANARY}", B: "${COMPOSE_CANARY-b}"}\n    labels: {l: "${COMPOSE_CANARY}"}\n';
    const made = plan(text);
    const web = made.containers[0];
    const clear = [...(web?.environment.values() ?? [])].map((value) => value.resolve(new Map()).reveal());
    expect(clear).toEqual(['', 'b']);
    expect(web?.command).toEqual(['', 'none']);
    expect(inspect(made, { depth: 20 }) + JSON.stringify(clear)).not.toContain(CANARY);
    expect(made.warnings.filter(({ code }) => code === 'variable_unset').map(({ path }) => path)).toEqual([
      '/services/web/command/0',
      '/services/web/labels/l',
      '/services/web/environment/A',
    ]);
  });

  it('is not asked for variables without a value', () => {
    expect(refusalOfWeb('environment: [COMPOSE_CANARY]').paths).toEqual(['/services/web/environment/0']);
    expect(refusalOfWeb('environment: {COMPOSE_CANARY: }').paths).toEqual(['/services/web/environment/COMPOSE_CANARY']);
  });

  it.each(['secrets', 'configs'])('is not asked for the content of %s', (section) => {
    const text = `services: {web: {image: "nginx:1"}}\n${section}: {x: {environment: COMPOSE_CANARY}}\n`;
    expect(refusal(text).paths).toContain(`/${section}/x/environment`);
  });
});

describe('hooks, providers and builds', () => {
  it.each([
    'provider: {type: x}',
    'post_start: [{command: id}]',
    'pre_stop: [{command: id}]',
    'develop: {watch: []}',
    'models: [llm]',
    'build: {context: ., privileged: true}',
    'build: {context: ., ssh: [default]}',
    'build: {context: ., network: host}',
    'build: {context: "https://x.example/r.git"}',
  ])('are refused: %s', (line) => {
    expect(refusalOfWeb(line)).toMatchObject({
      slug: 'compose_forbidden',
      paths: [`/services/web/${line.split(':', 1)[0]}`],
    });
  });
});

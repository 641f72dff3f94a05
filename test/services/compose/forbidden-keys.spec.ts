import { REFUSED_SERVICE_KEYS, refusedKey } from '../../../libs/services/src/domain/compose/refused-keys.js';
import { refusal, refusalOfWeb } from './planning.js';

/** A value as users write it, in YAML's flow style, so that it fits every spelling below. */
const VALUES: Readonly<Record<string, string>> = {
  privileged: 'true',
  sysctls: '{net.core.somaxconn: 1024}',
  devices: '["/dev/kmsg:/dev/kmsg"]',
  device_cgroup_rules: '["c 1:3 mr"]',
  network_mode: 'host',
  pid: 'host',
  ipc: 'host',
  uts: 'host',
  cgroup: 'host',
  userns_mode: 'host',
  cgroup_parent: '/system.slice',
  runtime: 'runc',
  gpus: 'all',
  volumes_from: '["container:panel"]',
  env_file: '[/etc/environment]',
  extends: '{file: ../other.yaml, service: web}',
  build: '.',
  container_name: 'panel-api',
  post_start: '[{command: id, privileged: true}]',
  pre_stop: '[{command: id, user: root}]',
  provider: '{type: model}',
  credential_spec: '{file: spec.json}',
  use_api_socket: 'true',
};

const spellings: Readonly<Record<string, (key: string, value: string) => string>> = {
  'as it stands': (key, value) => `services:\n  web:\n    image: nginx:1\n    ${key}: ${value}\n`,
  'in flow style': (key, value) => `services: {web: {image: "nginx:1", "${key}": ${value}}}\n`,
  'with an escaped key': (key, value) =>
    `services:\n  web:\n    image: nginx:1\n    "\\x${key.charCodeAt(0).toString(16)}${key.slice(1)}": ${value}\n`,
  'through an anchor': (key, value) => `x-a: &a ${value}\nservices:\n  web:\n    image: nginx:1\n    ${key}: *a\n`,
  'through a merge key': (key, value) =>
    `x-a: &a {${key}: ${value}}\nservices:\n  web:\n    <<: *a\n    image: nginx:1\n`,
  'through a list of merge keys': (key, value) =>
    `x-a: &a {init: true}\nx-b: &b {${key}: ${value}}\nservices:\n  web:\n    <<: [*a, *b]\n    image: nginx:1\n`,
  'through a whole service': (key, value) =>
    `x-web: &web {image: "nginx:1", ${key}: ${value}}\nservices:\n  web: *web\n`,
  'with !override': (key, value) => `services:\n  web:\n    image: nginx:1\n    ${key}: !override ${value}\n`,
};

const everyKey = REFUSED_SERVICE_KEYS.filter((key) => refusedKey('/services/web', key)?.kind === 'forbidden');

describe.each(Object.entries(spellings))('a forbidden key written %s', (_, spell) => {
  it.each(everyKey)('is refused with its pointer: %s', (key) => {
    const { slug, violations } = refusal(spell(key, VALUES[key] ?? 'true'));
    expect(slug).toBe('compose_forbidden');
    expect(violations).toContainEqual(
      expect.objectContaining({ path: `/services/web/${key}`, code: 'compose_forbidden' }),
    );
  });
});

describe('a key that the panel does not carry out', () => {
  it('is refused as forbidden through extends, together with what the extending service adds', () => {
    const { paths } = refusal(
      'services:\n  base: {image: "nginx:1", privileged: true}\n  web: {image: "nginx:1", extends: {service: base}}\n',
    );
    expect(paths).toEqual(['/services/base/privileged', '/services/web/extends']);
  });

  it.each(['links', 'platform', 'pull_policy', 'mem_reservation', 'dns_search'])(
    'is told apart from a forbidden one: %s',
    (key) => {
      const { slug, violations } = refusalOfWeb(`${key}: x`);
      expect(slug).toBe('validation_failed');
      expect(violations).toMatchObject([{ path: `/services/web/${key}`, code: 'unsupported_key' }]);
    },
  );

  it('is told apart from one that Compose does not know', () => {
    const { slug, violations } = refusalOfWeb('enviroment: {A: b}');
    expect(slug).toBe('validation_failed');
    expect(violations).toMatchObject([{ path: '/services/web/enviroment', code: 'unknown_key' }]);
  });

  it('is refused also when it is switched off', () => {
    expect(refusalOfWeb('privileged: false').paths).toEqual(['/services/web/privileged']);
  });

  it.each([
    ['include', '[other.yaml]'],
    ['name', 'other-project'],
    ['models', '{llm: {model: x}}'],
  ])('is refused at the top of the file: %s', (key, value) => {
    const { slug, paths } = refusal(`${key}: ${value}\nservices: {web: {image: "nginx:1"}}\n`);
    expect({ slug, paths }).toEqual({ slug: 'compose_forbidden', paths: [`/${key}`] });
  });
});

describe('a key that Compose knows and the panel does not carry out', () => {
  it.each([
    ['pull_refresh_after: 1d', '/services/web/pull_refresh_after'],
    [
      'volumes: [{type: volume, source: data, target: /d, volume: {labels: {a: b}}}]',
      '/services/web/volumes/0/volume/labels',
    ],
    ['healthcheck: {}\nplatform: linux/amd64', '/services/web/platform'],
  ])('is not called unknown: %s', (keys, path) => {
    const { violations } = refusalOfWeb(keys, {}, 'volumes: {data: }\n');
    expect(violations).toMatchObject([{ path, code: 'unsupported_key' }]);
  });
});

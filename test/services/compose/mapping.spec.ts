import type { ContainerPlan } from '../../../libs/services/src/domain/service-plan.js';
import { MAPPED } from './mapped-keys.js';
import { plan, planWeb, refusalOfWeb } from './planning.js';

const REST =
  'volumes: {data: }\nnetworks: {front: , back: }\nsecrets: {key: {content: s}}\nconfigs: {conf: {content: c}}\n';

describe('a key of the subset', () => {
  it.each(MAPPED)('reaches the plan: %s', (keys, expected) => {
    expect(planWeb(keys, {}, REST)).toMatchObject(expected);
  });

  it.each(MAPPED.filter(([keys]) => !keys.endsWith('null')))(
    'changes the plan, so it cannot be dropped: %s',
    (keys, expected) => {
      const without = planWeb(keys.startsWith('image') ? 'image: other' : '', {}, REST);
      for (const name of Object.keys(expected) as (keyof ContainerPlan)[])
        expect(planWeb(keys, {}, REST)[name]).not.toEqual(without[name]);
    },
  );

  it('reaches the plan as a file: inline secrets and configs', () => {
    const { files } = planWeb(
      'secrets: [key, {source: key, target: /run/other, uid: "5", gid: 6, mode: 0400}]\nconfigs: [{source: conf, target: etc/app.conf}]',
      {},
      REST,
    );
    expect(files.map(({ content: _, ...file }) => file)).toEqual([
      { kind: 'secret', source: 'key', target: '/run/secrets/key', uid: 0, gid: 0, mode: 0o444 },
      { kind: 'secret', source: 'key', target: '/run/other', uid: 5, gid: 6, mode: 0o400 },
      { kind: 'config', source: 'conf', target: '/etc/app.conf', uid: 0, gid: 0, mode: 0o444 },
    ]);
    expect(files[0]?.content.resolve(new Map()).reveal()).toBe('s');
  });

  it('reaches the plan of networks and volumes', () => {
    const { networks, volumes } = plan(
      'services: {web: {image: "x:1", networks: [n], volumes: ["vol:/v"]}}\nnetworks: {n: {internal: true, driver: bridge, labels: {a: b}}}\nvolumes: {vol: {driver: local, labels: [c=d]}}\n',
    );
    expect(networks).toEqual([{ key: 'n', name: 'svc-internal_n', internal: true, labels: new Map([['a', 'b']]) }]);
    expect(volumes).toEqual([{ key: 'vol', name: 'svc_vol', labels: new Map([['c', 'd']]) }]);
  });

  it.each(['networks: []', 'networks: {}', 'networks: {default: }', 'tty: false'])(
    'leaves no container without a network: %s',
    (keys) => {
      expect(planWeb(keys).networks).toEqual([{ network: 'svc_default', aliases: ['web'] }]);
    },
  );

  it.each(['hostname', 'user', 'working_dir', 'restart', 'stop_signal'])(
    'takes an empty text for nothing said, since that is what unset variables leave: %s',
    (name) => {
      expect(planWeb(`${name}: "\${UNSET:-}"`)).toEqual(planWeb(''));
    },
  );

  it('takes nothing under deploy for nothing said', () => {
    expect(planWeb('deploy:')).toEqual(planWeb(''));
  });

  it('refuses files for a container that nothing can be written into', () => {
    const { paths } = refusalOfWeb('read_only: true\nconfigs: [page]', {}, 'configs: {page: {content: hello}}\n');
    expect(paths).toEqual(['/services/web/read_only']);
    expect(planWeb('read_only: true').readOnly).toBe(true);
  });

  it.each([
    ['tmpfs: [/run:size=1m]\nsecrets: [s]', ['/services/web/secrets/0']],
    ['tmpfs: [/run/secrets/s/:size=1m]\nsecrets: [s]', ['/services/web/secrets/0']],
    [
      'volumes: [{type: tmpfs, target: /data}]\nconfigs: [{source: c, target: /data/deep/c}]',
      ['/services/web/configs/0'],
    ],
    ['configs: [{source: c, target: /dev/shm/c}]', ['/services/web/configs/0']],
  ])('refuses a file that a tmpfs would hide: %j', (lines, places) => {
    const declared = 'secrets: {s: {content: hello}}\nconfigs: {c: {content: hello}}\n';
    expect(refusalOfWeb(lines, {}, declared).paths).toEqual(places);
  });

  it.each([
    'tmpfs: [/runs:size=1m]\nsecrets: [s]',
    'tmpfs: [/run:size=1m]\nvolumes: [vol:/run/secrets]\nsecrets: [s]',
    'volumes: [vol:/dev/shm]\nconfigs: [{source: c, target: /dev/shm/c}]',
  ])('writes a file that no tmpfs hides: %j', (lines) => {
    const declared = 'secrets: {s: {content: hello}}\nconfigs: {c: {content: hello}}\nvolumes: {vol: {}}\n';
    expect(planWeb(lines, {}, declared).files).toHaveLength(1);
  });
});

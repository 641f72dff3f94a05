import { plan } from './planning.js';

describe('what is accepted without effect', () => {
  it.each([
    ['x-mine: {a: b}', '/services/web/x-mine', 'extension_ignored'],
    ['healthcheck: {x-a: 1, test: [NONE]}', '/services/web/healthcheck/x-a', 'extension_ignored'],
    ['profiles: []\nimage: nginx', '/services/web/image', 'image_latest'],
    [
      'deploy: {resources: {reservations: {cpus: 1}}}',
      '/services/web/deploy/resources/reservations/cpus',
      'without_effect',
    ],
    ['ports: [{target: 80, published: 8080, mode: host}]', '/services/web/ports/0/mode', 'without_effect'],
    ['ports: [{target: 80, published: 8080, name: http}]', '/services/web/ports/0/name', 'without_effect'],
    ['healthcheck: {disable: true, test: [CMD, a]}', '/services/web/healthcheck/test', 'without_effect'],
    ['tmpfs: /t', '/services/web/tmpfs', 'tmpfs_size_default'],
    ['command: $MISSING', '/services/web/command', 'variable_unset'],
  ])('is told as a warning: %s', (keys, path, code) => {
    const image = /image:/.test(keys) ? '' : '    image: nginx:1\n';
    const { warnings } = plan(
      `services:\n  web:\n${image}${keys
        .split('\n')
        .map((line) => `    ${line}\n`)
        .join('')}`,
    );
    expect(warnings).toEqual([expect.objectContaining({ path, code })]);
  });

  it('is told as a warning at the top of the file too', () => {
    const { warnings } = plan(
      'version: "3.8"\nx-common: {a: b}\nservices: {web: {image: "x:1"}}\nnetworks: {n: }\nvolumes: {v: }\nsecrets: {s: {content: c}}\nconfigs: {k: {content: c}}\n',
    );
    expect(warnings.map(({ path, code }) => `${path} ${code}`).sort()).toEqual([
      '/configs/k unused',
      '/networks/n unused',
      '/secrets/s unused',
      '/version obsolete',
      '/volumes/v unused',
      '/x-common extension_ignored',
    ]);
  });
});

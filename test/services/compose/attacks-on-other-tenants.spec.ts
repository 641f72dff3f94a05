import { isReservedLabel } from '../../../libs/services/src/domain/deploying/reserved-labels.js';
import { plan, planWeb, refusal, refusalOfWeb } from './planning.js';

/** One group a row of the table of attacks on compose files. */
describe('what belongs to other tenants', () => {
  const text =
    'services:\n  web:\n    image: nginx:1\n    networks: [front]\n    volumes: ["data:/data"]\nnetworks: {front: }\nvolumes: {data: }\n';

  it('is out of reach: two services with the same file share no name on the engine', () => {
    const namesOf = (serviceId: string): string[] => {
      const { networks, volumes, containers } = plan(text, { serviceId });
      expect(containers[0]?.mounts[0]?.volume).toBe(volumes[0]?.name);
      expect(containers[0]?.networks[0]?.network).toBe(networks[0]?.name);
      return [...networks, ...volumes].map(({ name }) => name);
    };
    expect(namesOf('a')).toEqual(['a_front', 'a_data']);
    expect(namesOf('b')).toEqual(['b_front', 'b_data']);
  });

  it.each([
    '{external: true}',
    '{name: other_front}',
    '{driver: host}',
    '{driver: overlay}',
    '{driver: macvlan}',
    '{ipam: {config: [{subnet: 10.0.0.0/8}]}}',
    '{driver_opts: {parent: eth0}}',
    '{attachable: true}',
  ])('is refused as a network: %s', (network) => {
    const { slug, paths } = refusal(text.replace('{front: }', `{front: ${network}}`));
    expect(slug).toBe('compose_forbidden');
    expect(paths[0]).toMatch(/^\/networks\/front\/\w+$/);
  });

  it('is not joined by the name of a network or volume that the file does not declare', () => {
    expect(refusalOfWeb('networks: [other_front]').paths).toEqual(['/services/web/networks/0']);
    expect(refusalOfWeb('volumes: ["other_data:/x"]').paths).toEqual(['/services/web/volumes/0']);
  });

  it.each([
    '{ipv4_address: 10.0.0.2}',
    '{mac_address: "02:42:ac:11:65:43"}',
    '{link_local_ips: [169.254.1.1]}',
    '{driver_opts: {a: b}}',
  ])('is not spoofed by a fixed address: %s', (attachment) => {
    expect(refusalOfWeb(`networks: {front: ${attachment}}`, {}, 'networks: {front: }\n').slug).toBe(
      'compose_forbidden',
    );
  });

  it.each([
    'panel.service',
    'PANEL.role',
    'com.docker.compose.project',
    'com.docker.swarm.service.id',
    'traefik.enable',
    'Traefik.http.routers.x.rule',
    'caddy',
    'caddy_0',
    'caddy.reverse_proxy',
  ])('is not claimed by a reserved label: %s', (label) => {
    expect(isReservedLabel(label)).toBe(true);
    expect(refusalOfWeb(`labels: {a: b, "${label}": x}`)).toMatchObject({
      slug: 'compose_forbidden',
      paths: [`/services/web/labels/${label}`],
    });
    expect(refusalOfWeb(`labels: ["a=b", "${label}=x"]`).paths).toEqual(['/services/web/labels/1']);
    expect(
      refusalOfWeb(
        'networks: [n]\nvolumes: ["vol:/v"]',
        {},
        `networks: {n: {labels: ["${label}"]}}\nvolumes: {vol: {labels: {"${label}": 1}}}\n`,
      ).paths,
    ).toEqual(['/networks/n/labels/0', `/volumes/vol/labels/${label}`]);
  });

  it.each(['panels', 'my.panel.x', 'com.docker.extension', 'traefikish', 'org.caddy'])(
    'leaves other labels alone: %s',
    (label) => {
      expect(planWeb(`labels: ["${label}=x"]`).labels.get(label)).toBe('x');
    },
  );

  it.each(['host-gateway'])('is not reached by an extra host: %s', (address) => {
    expect(refusalOfWeb(`extra_hosts: ["host.docker.internal:${address}"]`)).toMatchObject({
      slug: 'compose_forbidden',
    });
  });

  it.each(['127.0.0.53', '169.254.169.254', '::1', '::', 'fe80::1', '0.0.0.0', '::ffff:127.0.0.1', '224.0.0.1'])(
    'is not asked for names: %s',
    (address) => {
      expect(refusalOfWeb(`dns: ["${address}"]`)).toMatchObject({
        slug: 'compose_forbidden',
        paths: ['/services/web/dns/0'],
      });
    },
  );
});

describe('images from where the engine must not go', () => {
  it.each([
    '169.254.169.254/x',
    'localhost:5000/x',
    'localhost/x',
    '10.0.0.1/x',
    '10.0.0.1:5000/x/y:1',
    '[::1]/x',
    '[::1]:5000/x',
    '127.1:80/x',
    '0x7f.0.0.1/x',
    'registry:5000/x',
    'metadata.google.internal/x',
    'nas.local/x',
    'printer.lan:9100/x',
    '2130706433:80/x',
    'a.localhost/x',
    'db.internal:5432/x',
  ])('are refused: %s', (image) => {
    expect(refusalOfWeb(`image: "${image}"`)).toMatchObject({
      slug: 'compose_forbidden',
      paths: ['/services/web/image'],
    });
  });

  it('are accepted from a host that an administrator listed', () => {
    const allowedRegistries = new Set(['localhost:5000']);
    expect(planWeb('image: "localhost:5000/x:1"', { allowedRegistries }).image.ref).toBe('localhost:5000/x:1');
    expect(refusalOfWeb('image: "localhost:5001/x:1"', { allowedRegistries }).slug).toBe('compose_forbidden');
  });

  it.each([
    '',
    '-x',
    'UPPER',
    'a b',
    'a:b:c',
    'x@sha256:12',
    'https://docker.io/x',
    '../x',
    'x/../y',
    'a//b',
    'x:',
    '$$(id)',
    'x;id',
    'user:pw@ghcr.io/x',
    'x@md5:d41d8cd98f00b204e9800998ecf8427e',
  ])('are refused when the name is none: %s', (image) => {
    expect(refusalOfWeb(`image: '${image}'`).paths).toEqual(['/services/web/image']);
  });
});

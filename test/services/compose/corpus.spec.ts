import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { plan, refusal } from './planning.js';

const folder = path.join(__dirname, 'corpus');
const given = {
  variables: new Map([
    ['MYSQL_PASSWORD', 'a'],
    ['GRAFANA_PASSWORD', 'b'],
  ]),
};

/** The containers in start order, then what is warned of. */
const planned: Readonly<Record<string, readonly [containers: string, warnings?: readonly string[]]>> = {
  'django-celery': ['web worker beat redis', ['/x-base', '/services/flower/profiles']],
  elasticsearch: ['es kibana'],
  ghost: ['mysql ghost'],
  'grafana-prometheus': ['prometheus grafana'],
  'healthcheck-defaults': ['off tuned'],
  keycloak: ['postgres keycloak'],
  laravel: ['db migrate app'],
  'matrix-synapse': ['db synapse'],
  minio: ['minio'],
  n8n: ['n8n'],
  nextcloud: ['db redis app cron', ['/x-nextcloud']],
  paperless: ['broker webserver'],
  plausible: ['plausible_db plausible_events_db plausible'],
  rabbitmq: ['rabbitmq'],
  selenium: ['hub chrome'],
  'sentry-like': ['redis postgres web worker cron'],
  'two-tier-networks': ['proxy app'],
  umami: ['db umami'],
  'uptime-kuma': ['kuma'],
  vaultwarden: ['vaultwarden', ['/services/vaultwarden/tmpfs/0']],
  wordpress: ['db wordpress'],
};

/** Every place that is refused. */
const refused: Readonly<Record<string, readonly string[]>> = {
  'caddy-docker-proxy': ['/services/app/labels/caddy', '/services/app/labels/caddy.reverse_proxy'],
  gitea: [
    '/services/server/container_name',
    '/networks/gitea/external',
    '/services/server/volumes/0',
    '/services/server/volumes/1',
    '/services/server/volumes/2',
    '/services/server/ports/1',
  ],
  'gitlab-runner': ['/services/runner/privileged', '/volumes/config/external', '/services/runner/volumes/0'],
  'home-assistant': [
    '/services/homeassistant/privileged',
    '/services/homeassistant/network_mode',
    '/services/homeassistant/devices',
    '/services/homeassistant/volumes/1',
  ],
  immich: [
    '/name',
    '/services/immich-server/container_name',
    '/services/immich-server/env_file',
    '/services/immich-server/volumes/0',
  ],
  jellyfin: ['/services/jellyfin/devices', '/services/jellyfin/volumes/2/type', '/services/jellyfin/extra_hosts/0'],
  kafka: ['/services/kafka/links'],
  'localai-gpu': ['/services/ollama/gpus', '/services/ollama/deploy/resources/reservations/devices'],
  'loki-logging': ['/services/app/logging/options/loki-url', '/services/app/logging/driver'],
  mastodon: [
    '/services/web/env_file',
    '/services/sidekiq/env_file',
    '/services/web/volumes/0',
    '/services/sidekiq/volumes/0',
  ],
  metabase: ['/secrets/db_user/content', '/secrets/db_user/file', '/services/metabase/volumes/0'],
  'node-development': [
    '/services/app/image',
    '/services/app/build',
    '/services/app/volumes/0',
    '/services/app/volumes/1',
  ],
  pihole: [
    '/services/pihole/container_name',
    '/services/pihole/volumes/0',
    '/services/pihole/ports/0',
    '/services/pihole/ports/1',
    '/services/pihole/ports/2',
    '/services/pihole/cap_add/0',
    '/services/pihole/cap_add/1',
  ],
  portainer: ['/services/portainer/volumes/0'],
  'private-registry': ['/services/app/image', '/services/other/image'],
  'redis-sentinel': ['/services/redis/sysctls', '/services/replica/deploy/replicas'],
  'swarm-stack': [
    '/services/api/deploy/mode',
    '/services/api/deploy/replicas',
    '/services/api/deploy/placement',
    '/services/api/deploy/update_config',
    '/services/api/deploy/restart_policy',
    '/networks/overlay/attachable',
    '/networks/overlay/driver',
  ],
  traefik: [
    '/services/traefik/volumes/0',
    '/services/traefik/ports/0',
    '/services/whoami/labels/0',
    '/services/whoami/labels/1',
  ],
  typo: ['/volume', '/services/web/enviroment', '/services/web/port', '/services/web/healtcheck'],
  wireguard: ['/services/wg/sysctls', '/services/wg/volumes/0', '/services/wg/cap_add/0', '/services/wg/cap_add/1'],
};

const read = (name: string): string => readFileSync(path.join(folder, `${name}.yaml`), 'utf8');

describe('compose files of well-known applications', () => {
  it('all have an expected outcome', () => {
    const files = readdirSync(folder).map((file) => path.basename(file, '.yaml'));
    expect([...Object.keys(planned), ...Object.keys(refused)].sort()).toEqual(files.sort());
  });

  it.each(Object.entries(planned))('are planned: %s', (name, [containers, warnings = []]) => {
    const made = plan(read(name), given);
    expect(made.containers.map((container) => container.name).join(' ')).toBe(containers);
    expect(made.warnings.map(({ path: at }) => at)).toEqual(warnings);
  });

  it.each(Object.entries(refused))('are refused with every pointer: %s', (name, paths) => {
    expect(refusal(read(name), given).paths).toEqual(paths);
  });
});

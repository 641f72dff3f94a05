import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { plan, refusal } from './planning.js';

const folder = path.join(__dirname, 'corpus');
const given = {
  variables: new Map([
    ['MYSQL_PASSWORD', 'a'],
    ['GRAFANA_PASSWORD', 'b'],
    ['POSTGRES_PASSWORD', 'c'],
    ['PG_PASS', 'd'],
    ['ADMIN_PASSWORD', 'e'],
    ['DB_PASSWORD', 'f'],
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
  mattermost: [
    'postgres mattermost',
    ['/services/postgres/tmpfs/0', '/services/postgres/tmpfs/1', '/services/mattermost/tmpfs/0'],
  ],
  airflow: [
    'postgres redis airflow-init airflow-webserver airflow-worker',
    ['/services/airflow-init/command/1', '/x-airflow-common', '/services/flower/profiles'],
  ],
  bookstack: ['bookstack_db bookstack', ['/version', '/services/bookstack/image', '/services/bookstack_db/image']],
  miniflux: ['db miniflux'],
  penpot: [
    'penpot-postgres penpot-redis penpot-backend penpot-exporter penpot-frontend',
    ['/x-flags', '/x-uri', '/x-body-size', '/x-labels'],
  ],
  'observability-inline-configs': [
    'prometheus grafana',
    ['/services/grafana/ports/0/name', '/services/grafana/ports/0/app_protocol', '/services/grafana/ports/0/mode'],
  ],
  'django-inline': ['db cache web'],
  directus: ['database directus'],
  listmonk: ['db app', ['/x-app-defaults', '/x-db-defaults']],
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
  outline: [
    '/services/outline/env_file',
    '/services/redis/env_file',
    '/services/postgres/env_file',
    '/services/redis/volumes/0',
  ],
  authentik: [
    '/services/server/env_file',
    '/services/server/volumes/0',
    '/services/server/volumes/1',
    '/services/worker/volumes/0',
    '/services/worker/volumes/1',
  ],
  sonarqube: [
    '/services/sonarqube/container_name',
    '/networks/ipv4/enable_ipv6',
    '/networks/dual/enable_ipv6',
    '/networks/dual/ipam',
  ],
  searxng: [
    '/services/caddy/container_name',
    '/services/caddy/network_mode',
    '/services/redis/container_name',
    '/services/caddy/volumes/0',
  ],
  rocketchat: [
    '/services/rocketchat/ports/0',
    '/services/rocketchat/labels/traefik.enable',
    '/services/rocketchat/labels/traefik.http.routers.rocketchat.rule',
  ],
  'kafka-kraft': ['/services/broker/container_name'],
  'telegraf-influx': [
    '/services/telegraf/pid',
    '/services/telegraf/privileged',
    '/services/telegraf/volumes/0',
    '/services/telegraf/volumes/1',
    '/services/telegraf/volumes/2',
  ],
  watchtower: ['/services/app/ports/0', '/services/app/ports/1', '/services/watchtower/volumes/0/type'],
  'nginx-proxy-manager': ['/services/app/ports/0', '/services/app/ports/1', '/services/app/ports/2'],
  jitsi: ['/services/web/volumes/0', '/services/jvb/environment/0', '/services/jvb/environment/1'],
  superset: ['/services/db/env_file', '/services/superset/build', '/volumes/db_home/external', '/volumes/redis/name'],
  'extends-and-include': [
    '/include',
    '/services/base/scale',
    '/services/web/extends',
    '/services/web/pull_policy',
    '/services/web/platform',
    '/services/cli/image',
    '/services/cli/extends',
  ],
  clickhouse: [
    '/services/clickhouse/sysctls',
    '/services/clickhouse/oom_score_adj',
    '/services/clickhouse/volumes/1',
    '/services/clickhouse/ports/0',
    '/services/clickhouse/ports/2',
    '/services/clickhouse/cap_add/0',
    '/services/clickhouse/cap_add/1',
    '/services/clickhouse/cap_add/2',
  ],
  'mealie-limits': ['/services/postgres/mem_reservation', '/volumes/mealie-pgdata/driver_opts'],
  'circle-and-ghosts': [
    '/services/a/networks/1',
    '/services/b/volumes/0',
    '/services/b/volumes/2',
    '/services/c/secrets/0',
    '/services/c/configs/0',
    '/services/Web/image',
    '/services/d/image',
    '/services/c/depends_on/1',
    '/services/c/depends_on',
  ],
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

  it('arrive whole, whatever anchors, merge keys and defaults they are put together from', () => {
    const { containers } = plan(read('airflow'), given);
    const worker = containers.find(({ name }) => name === 'airflow-worker')!;
    expect([...worker.environment.keys()].sort()).toEqual([
      ...['AIRFLOW__CELERY__BROKER_URL', 'AIRFLOW__CORE__EXECUTOR', 'AIRFLOW__CORE__FERNET_KEY'],
      ...['AIRFLOW__CORE__LOAD_EXAMPLES', 'AIRFLOW__DATABASE__SQL_ALCHEMY_CONN', 'DUMB_INIT_SETSID'],
      '_PIP_ADDITIONAL_REQUIREMENTS',
    ]);
    expect(worker.dependsOn.map(({ container, condition }) => `${container} ${condition}`).sort()).toEqual([
      'airflow-init service_completed_successfully',
      ...['postgres service_healthy', 'redis service_healthy'],
    ]);
    expect(worker.healthcheck?.test).toEqual([
      'CMD-SHELL',
      'celery --app airflow.executors.celery_executor.app inspect ping -d "celery@${HOSTNAME}"',
    ]);
    expect([worker.image.ref, worker.user]).toEqual(['docker.io/apache/airflow:2.8.1', '50000:0']);
    const [frontend] = plan(read('penpot'), given).containers.slice(-1);
    expect([...frontend!.environment.keys()]).toHaveLength(3);
    const [, grafana] = plan(read('observability-inline-configs'), given).containers;
    expect(grafana!.files).toMatchObject([{ target: '/run/secrets/admin_password', mode: 0o444 }]);
    expect(grafana!.ports).toEqual([{ hostIp: '127.0.0.1', hostPort: 3030, containerPort: 3000, protocol: 'tcp' }]);
  });

  it('stand the tool that holds any folder of files against the planner', async () => {
    const tool = path.resolve(__dirname, '../../../tools/compose-corpus.mjs');
    const assignments = [...given.variables].map(([name, value]) => `${name}=${value}`);
    const { stdout } = await promisify(execFile)(process.execPath, [tool, folder, ...assignments]);
    const lines = stdout.trim().split('\n');
    expect(lines.filter((line) => line.includes('FAILED'))).toEqual([]);
    expect(lines.at(-1)).toMatch(
      new RegExp(`^${readdirSync(folder).length} files, ${Object.keys(planned).length} accepted, .* 0 failed$`),
    );
    // What the panel does anyway; whatever else stood here would be dropped in silence.
    const idle = lines.flatMap((line) => line.split(', without effect: ')[1]?.split(' ') ?? []);
    expect([...new Set(idle.map((pointer) => pointer.replace(/\/\d+/g, '').split('/').slice(2).join(' ')))]).toEqual([
      ...['web depends_on db required', 'db cap_add', 'prometheus configs mode', 'migrate restart'],
      ...['postgres security_opt', 'mattermost security_opt', 'grafana ports protocol', 'app security_opt'],
    ]);
  });
});

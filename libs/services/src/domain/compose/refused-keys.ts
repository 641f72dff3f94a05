/**
 * A key that Compose knows and the panel refuses. `forbidden` keys would reach the host, another tenant or the panel
 * itself. `unsupported` keys are harmless, but ignoring them silently would mislead the user.
 */
export interface RefusedKey {
  readonly kind: 'forbidden' | 'unsupported';
  readonly reason: string;
}

const forbidden = (reason: string): RefusedKey => ({ kind: 'forbidden', reason });
const unsupported = (reason: string): RefusedKey => ({ kind: 'unsupported', reason });

const NAMESPACE = forbidden('A container must use its own namespaces.');
const KERNEL = forbidden('It changes how the kernel confines the container.');
const DEVICE = forbidden('Host devices are not available to containers.');
const HOST_FILE = forbidden('Host files are not read. Put the values into this file.');
const OTHER_FILE = forbidden('A service is described by one file: put the content here.');
const PANEL_NAMES = forbidden('The panel chooses the names on the engine.');
const HOOK = forbidden('Hooks and providers run commands outside the container’s confinement.');
const MODELS = forbidden('Models are run beside the containers, on the host.');
const ONE_CONTAINER = forbidden('Each service in the file runs as one container.');
const USE_DEPLOY = unsupported('Use deploy.resources, mem_limit, cpus or pids_limit.');

const SERVICE_KEYS: Readonly<Record<string, RefusedKey>> = {
  privileged: KERNEL,
  sysctls: KERNEL,
  cgroup_parent: KERNEL,
  runtime: KERNEL,
  isolation: KERNEL,
  credential_spec: KERNEL,
  oom_kill_disable: KERNEL,
  oom_score_adj: KERNEL,
  storage_opt: KERNEL,
  devices: DEVICE,
  device_cgroup_rules: DEVICE,
  gpus: DEVICE,
  blkio_config: DEVICE,
  network_mode: NAMESPACE,
  pid: NAMESPACE,
  ipc: NAMESPACE,
  uts: NAMESPACE,
  cgroup: NAMESPACE,
  userns_mode: NAMESPACE,
  use_api_socket: forbidden('The Docker socket is not available to containers.'),
  volumes_from: forbidden('Volumes are mounted by name.'),
  env_file: HOST_FILE,
  label_file: HOST_FILE,
  extends: OTHER_FILE,
  build: forbidden('Images are built from a Git repository, not from a compose file.'),
  develop: forbidden('It watches files of the host.'),
  container_name: PANEL_NAMES,
  external_links: forbidden('Only containers of the same service are reachable.'),
  links: unsupported('Containers of one network reach each other by name; use aliases for another one.'),
  provider: HOOK,
  post_start: HOOK,
  pre_stop: HOOK,
  models: MODELS,
  scale: ONE_CONTAINER,
  mac_address: forbidden('Addresses are assigned by the engine.'),
  mem_reservation: unsupported('Use deploy.resources.reservations.memory.'),
  memswap_limit: USE_DEPLOY,
  mem_swappiness: USE_DEPLOY,
  cpu_count: USE_DEPLOY,
  cpu_percent: USE_DEPLOY,
  cpu_period: USE_DEPLOY,
  cpu_quota: USE_DEPLOY,
  cpu_rt_period: KERNEL,
  cpu_rt_runtime: KERNEL,
  cpu_shares: USE_DEPLOY,
  cpuset: USE_DEPLOY,
  platform: unsupported('Images run on the platform of the engine.'),
  pull_policy: unsupported('Every deployment pulls.'),
  pull_refresh_after: unsupported('Every deployment pulls.'),
  domainname: unsupported('Use hostname.'),
  dns_opt: unsupported('Use dns.'),
  dns_search: unsupported('Use dns.'),
  annotations: unsupported('Use labels.'),
  attach: unsupported('Logs are always kept.'),
};

const IPAM = forbidden('Addresses and drivers of networks are chosen by the engine.');
const EXTERNAL = forbidden('External networks, volumes, secrets and configs cannot be used.');
const DRIVER_OPTIONS = forbidden('Driver options can mount the host.');
const INLINE_ONLY = forbidden('Only inline content is accepted.');

const DEPLOY_KEYS: Readonly<Record<string, RefusedKey>> = {
  replicas: ONE_CONTAINER,
  mode: ONE_CONTAINER,
  endpoint_mode: unsupported('Only deploy.resources is applied.'),
  labels: unsupported('Use labels of the service.'),
  placement: unsupported('Only deploy.resources is applied.'),
  restart_policy: unsupported('Use restart.'),
  rollback_config: unsupported('Only deploy.resources is applied.'),
  update_config: unsupported('Only deploy.resources is applied.'),
};

const RESOURCE_KEYS: Readonly<Record<string, RefusedKey>> = {
  devices: DEVICE,
  generic_resources: DEVICE,
};

const TABLES: readonly (readonly [RegExp, Readonly<Record<string, RefusedKey>>])[] = [
  [
    /^$/,
    {
      name: PANEL_NAMES,
      include: OTHER_FILE,
      models: MODELS,
    },
  ],
  [/^\/services\/[^/]+$/, SERVICE_KEYS],
  [/^\/services\/[^/]+\/deploy$/, DEPLOY_KEYS],
  [/^\/services\/[^/]+\/deploy\/resources\/[^/]+$/, RESOURCE_KEYS],
  [
    /^\/services\/[^/]+\/networks\/[^/]+$/,
    {
      ipv4_address: IPAM,
      ipv6_address: IPAM,
      link_local_ips: IPAM,
      mac_address: IPAM,
      driver_opts: IPAM,
      interface_name: IPAM,
      priority: unsupported('The order of networks is chosen by the engine.'),
      gw_priority: unsupported('The order of networks is chosen by the engine.'),
    },
  ],
  [
    /^\/services\/[^/]+\/volumes\/\d+$/,
    {
      bind: forbidden('Host paths cannot be mounted.'),
      image: forbidden('Only named volumes and tmpfs can be mounted.'),
      consistency: unsupported('It applies to host paths only.'),
    },
  ],
  [
    /^\/services\/[^/]+\/volumes\/\d+\/volume$/,
    { subpath: forbidden('A volume is mounted as a whole.'), labels: unsupported('Use labels of the volume.') },
  ],
  [
    /^\/networks\/[^/]+$/,
    {
      external: EXTERNAL,
      name: PANEL_NAMES,
      ipam: IPAM,
      driver_opts: IPAM,
      enable_ipv4: IPAM,
      enable_ipv6: IPAM,
      attachable: IPAM,
    },
  ],
  [/^\/volumes\/[^/]+$/, { external: EXTERNAL, name: PANEL_NAMES, driver_opts: DRIVER_OPTIONS }],
  [
    /^\/(?:secrets|configs)\/[^/]+$/,
    {
      external: EXTERNAL,
      name: PANEL_NAMES,
      file: HOST_FILE,
      environment: forbidden('The environment of the host is not read: write content.'),
      driver: INLINE_ONLY,
      driver_opts: DRIVER_OPTIONS,
      template_driver: INLINE_ONLY,
      labels: INLINE_ONLY,
    },
  ],
];

/** Every logging driver has its own options, so any key here may be valid Compose. */
const LOGGING_OPTIONS = /^\/services\/[^/]+\/logging\/options$/;

/** Why the panel refuses `key` in the mapping at `pointer`. Null if Compose does not know the key either. */
export function refusedKey(pointer: string, key: string): RefusedKey | null {
  if (LOGGING_OPTIONS.test(pointer)) return unsupported('Only max-size and max-file are supported.');
  for (const [where, keys] of TABLES) if (where.test(pointer) && Object.hasOwn(keys, key)) return keys[key] ?? null;
  return null;
}

export const REFUSED_SERVICE_KEYS: readonly string[] = Object.keys(SERVICE_KEYS);

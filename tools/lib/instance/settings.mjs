import path from 'node:path';
import { freePorts, isFree } from '../ports.mjs';
import { pause } from '../processes.mjs';
import { Refusal } from '../refusal.mjs';

const PORTS = {
  PARTNER_API_PORT: 3000,
  PANEL_API_PORT: 3001,
  IDP_PORT: 3002,
  POSTGRES_PORT: 54320,
  PARTNER_METRICS_PORT: 9464,
  PANEL_METRICS_PORT: 9465,
  WORKER_METRICS_PORT: 9466,
};

/** The folder of an instance. A throw-away instance has its own, whatever the environment says. */
const PLACES = [
  ...['PARTNER_API_BASE_URL', 'PANEL_URL', 'FRONTEND_CALLBACK_URL', 'BACKUP_DIR'],
  ...['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_REDIRECT_URI', 'OIDC_COOKIE_DOMAIN'],
  ...['OIDC_SCOPES', 'OIDC_ROLE_CLAIM', 'OIDC_ADMIN_VALUE', 'OIDC_ADMIN_EMAILS'],
];

/** Settings that are passed on unchanged. */
const PASSED_ON = [
  ...['DATABASE_POOL_SIZE', 'LISTEN_HOST'],
  ...['REDIS_URL', 'TRUSTED_PROXIES', 'PC_RATE_RPS', 'PC_RATE_BURST', 'PC_AUTHFAIL_RPS', 'LICENSE_SERVICE'],
  ...['KEYGEN_HOST', 'KEYGEN_ACCOUNT_ID', 'KEYGEN_TOKEN', 'EDITIONS', 'DOCKER_HOST', 'LEGACY_LOGIN', 'LOG_LEVEL'],
  ...['API_KEYS_PER_CUSTOMER', 'API_KEYS_PER_ORGANISATION', 'API_KEYS_PER_ADMIN', 'API_KEY_RPM_PER_CUSTOMER'],
  ...['PANEL_SESSION_RPM', 'PANEL_ANONYMOUS_RPM', 'PANEL_AUTHFAIL_RPM', 'PANEL_LOGIN_RPM'],
  ...['PANEL_INSTANCE', 'SERVICES_REGISTRIES', 'SERVICES_PORT_ADDRESS', 'SERVICES_RESERVED_PORTS'],
  ...['HEALTH_GATE_SECONDS', 'QUOTA_SERVICES', 'QUOTA_CPU_CORES', 'QUOTA_MEMORY_MB', 'QUOTA_DISK_MB'],
  ...['RUNTIME', 'SWARM_ENCRYPT_NETWORKS', 'SERVICES_SAMPLE_SECONDS', 'SERVICES_AUTO_RECOVERY', 'WS_ALLOWED_ORIGINS'],
  ...['TEMPLATE_REGISTRY', 'GIT_ALLOWED_HOSTS', 'GIT_CA_FILE', 'GIT_KNOWN_HOSTS_FILE'],
  ...['BUILD_MEMORY_MB', 'BUILD_CPU_CORES', 'BUILD_TIMEOUT_SECONDS', 'BUILD_BASE_IMAGES_FILE', 'BUILD_REGISTRY'],
  ...['BUILD_FIREWALL', 'BUILD_BUILDKIT', 'NIXPACKS_PATH', 'BUILD_REGISTRY_USERNAME', 'BUILD_REGISTRY_PASSWORD'],
  ...['BACKUP_S3_ENDPOINT', 'BACKUP_S3_REGION', 'BACKUP_S3_BUCKET', 'BACKUP_S3_PREFIX', 'BACKUP_AGE_RECIPIENT'],
  ...['BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'],
  ...['AI_BASE_URL', 'AI_API_KEY', 'AI_MODEL', 'AI_TIMEOUT_SECONDS', 'AI_TOKENS_PER_DAY', 'AI_INPUT_TOKENS'],
  ...['BACKUPS_AT_ONCE', 'BACKUP_TIMEOUT_MINUTES', 'BACKUP_VERIFY_MEMORY_MB', 'BACKUP_VERIFY_CPU_CORES'],
  ...['BACKUP_VERIFY_MAX_MB'],
  ...['CADDY_ADMIN_URL', 'BASE_DOMAIN', 'INGRESS_HTTP_PORT', 'INGRESS_HTTPS_PORT', 'INGRESS_TLS', 'INGRESS_ADDRESS'],
  ...['INGRESS_PANEL_UPSTREAM', 'INGRESS_PARTNER_UPSTREAM', 'ACME_EMAIL', 'ACME_CA', 'DNS_SERVERS', ...PLACES],
];

/**
 * The port of every server of the instance, by its setting: as given, otherwise the default; free ones for a
 * throw-away.
 */
export async function choosePorts(given, ephemeral) {
  const names = Object.keys(PORTS);
  if (ephemeral) {
    const free = await freePorts(names.length);
    return Object.fromEntries(names.map((name, i) => [name, free[i]]));
  }
  const ports = names.map((name) => [name, portOf(name, given[name] || PORTS[name])]);
  for (const [i, [name, port]] of ports.entries())
    if (ports.findIndex((other) => other[1] === port) < i)
      throw new Refusal(`${name}=${port} is the port of another server of this instance: set ${name} to another one`);
  return Object.fromEntries(ports);
}

function portOf(name, text) {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Refusal(`${name}=${text} is not a port: set it to a number from 1 to 65535`);
}

/** A process that has just ended keeps its sockets until its last thread is gone. */
const LETTING_GO_MS = 2_000;

async function becomesFree(port) {
  for (const until = Date.now() + LETTING_GO_MS; Date.now() < until; await pause(50))
    if (await isFree(port)) return true;
  return isFree(port);
}

/** Refuses to start on a port that is already in use. */
export async function refuseBusyPorts(ports, names) {
  for (const name of names)
    if (!(await becomesFree(ports[name])))
      throw new Refusal(
        `port ${ports[name]} is in use. Stop the program that listens there, or set ${name} to a free port`,
      );
}

/**
 * Every setting but DATABASE_URL that the instance's processes, a CLI call or another process need to work with it. The
 * environment takes precedence.
 */
export function settingsOf({ given, ports, folder, secrets, ephemeral }) {
  const taken = PASSED_ON.filter((name) => given[name] && !(ephemeral && PLACES.includes(name)));
  const chosen = Object.fromEntries(taken.map((name) => [name, given[name]]));
  const panelUrl = chosen.PANEL_URL ?? `http://127.0.0.1:${ports.PANEL_API_PORT}`;
  const withIdp = needsIdp(given, ephemeral);
  return {
    ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
    SECRETS_KEYS: given.SECRETS_KEYS || secrets.secretsKeys,
    PARTNER_API_BASE_URL: `http://127.0.0.1:${ports.PARTNER_API_PORT}`,
    PANEL_URL: panelUrl,
    FRONTEND_CALLBACK_URL: `${panelUrl}/`,
    BACKUP_DIR: path.join(folder, 'backups'),
    ...(withIdp && {
      OIDC_ISSUER: `http://127.0.0.1:${ports.IDP_PORT}`,
      OIDC_CLIENT_ID: secrets.oidcClientId,
      OIDC_CLIENT_SECRET: secrets.oidcClientSecret,
      OIDC_REDIRECT_URI: `${panelUrl}/api/v1/auth/oidc/callback`,
      OIDC_ROLE_CLAIM: 'roles',
    }),
    ...chosen,
  };
}

/** Whether the local identity provider runs: never in production, and not if another one is configured. */
export const needsIdp = (given, ephemeral) => given.NODE_ENV !== 'production' && (ephemeral || !given.OIDC_ISSUER);

import { z } from 'zod';
import { templateSettingsOf, templatesEnv } from '#libs/templates';
import { flag, port, positiveNumber } from '#platform/config/setting-types';
import type { KeyRing } from '#platform/key-ring';
import { MONITORING_INTERVAL_MS, type MonitoringSettings } from '../application/monitoring/monitoring-settings.js';
import { DEPLOY_TIMES, type ServicesSettings } from '../application/settings.js';
import { DEFAULT_BIND_ADDRESS } from '../domain/compose/plan-context.js';
import { limitDefect, type QuotaKind } from '../domain/quota/quota.js';
import type { ServicesOptions } from '../services.module.js';
import { ingressEnv, ingressOptionsOf } from './caddy/ingress-env.js';
import { buildingEnv, buildingSettingsOf, nixpacksOf } from './git/building-env.js';
import { gitCheckoutOf, gitEnv, gitHostApiOf } from './git/git-env.js';
import { engineOf, runtimeEnv } from './docker/runtime-env.js';

const REGISTRY_HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?$/;

const list = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .default([]);

/** Absent: no limit. */
const limit = (kind: QuotaKind) =>
  z.coerce
    .number('must be a number')
    .superRefine((value, context) => {
      const defect = limitDefect(kind, value);
      if (defect !== null) context.addIssue({ code: 'custom', message: defect });
    })
    .nullable()
    .default(null);

/** What this installation listens on itself, as far as a process can know; none of it is published for a service. */
const ownPorts = {
  PARTNER_API_PORT: port(3000),
  PANEL_API_PORT: port(3001),
  PARTNER_METRICS_PORT: port(9464),
  PANEL_METRICS_PORT: port(9465),
  WORKER_METRICS_PORT: port(9466),
  POSTGRES_PORT: port(0),
  IDP_PORT: port(0),
};

/** Settings of every process that accepts or carries out deployments. */
export const servicesEnv = {
  ...runtimeEnv,
  ...templatesEnv,
  ...gitEnv,
  SERVICES_REGISTRIES: list.refine(
    (hosts) => hosts.every((text) => REGISTRY_HOST.test(text)),
    'must be registry hosts such as registry.internal:5000, without a scheme or path',
  ),
  SERVICES_PORT_ADDRESS: z.ipv4('must be an IPv4 address').default(DEFAULT_BIND_ADDRESS),
  SERVICES_RESERVED_PORTS: list.refine(
    (ports) => ports.every((text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535),
    'must be port numbers from 1 to 65535',
  ),
  QUOTA_SERVICES: limit('services'),
  QUOTA_CPU_CORES: limit('cpuCores'),
  QUOTA_MEMORY_MB: limit('memoryMb'),
  QUOTA_DISK_MB: limit('diskMb'),
  HEALTH_GATE_SECONDS: positiveNumber(DEPLOY_TIMES.gate / 1000),
  SERVICES_SAMPLE_SECONDS: positiveNumber(MONITORING_INTERVAL_MS / 1000),
  SERVICES_AUTO_RECOVERY: flag(true),
  ...gitEnv,
  ...buildingEnv,
  ...ownPorts,
  ...ingressEnv,
};

const OWN_PORTS = [
  ...(Object.keys(ownPorts) as (keyof typeof ownPorts)[]),
  ...(['INGRESS_HTTP_PORT', 'INGRESS_HTTPS_PORT'] as const),
];

export type ServicesEnv = z.output<z.ZodObject<typeof servicesEnv>>;

export function servicesOptionsOf(env: ServicesEnv, keyRing: KeyRing | null): Omit<ServicesOptions, 'sendsJobs'> {
  const settings: ServicesSettings = {
    allowedRegistries: new Set(env.SERVICES_REGISTRIES),
    instance: env.PANEL_INSTANCE ?? null,
    templateRegistry: templateSettingsOf(env).registry?.split('/')[0] ?? null,
    portBindAddress: env.SERVICES_PORT_ADDRESS,
    reservedPorts: new Set([...OWN_PORTS.map((name) => env[name]), ...env.SERVICES_RESERVED_PORTS.map(Number)]),
    quotaDefaults: {
      services: env.QUOTA_SERVICES,
      cpuCores: env.QUOTA_CPU_CORES,
      memoryMb: env.QUOTA_MEMORY_MB,
      diskMb: env.QUOTA_DISK_MB,
    },
    times: { ...DEPLOY_TIMES, gate: env.HEALTH_GATE_SECONDS * 1000 },
  };
  const monitoring: MonitoringSettings = {
    intervalMs: env.SERVICES_SAMPLE_SECONDS * 1000,
    autoRecovery: env.SERVICES_AUTO_RECOVERY,
  };
  const parts = { templates: templateSettingsOf(env), ingress: ingressOptionsOf(env) };
  const gitHosts = { api: gitHostApiOf(env), statuses: { panelUrl: env.PANEL_URL.replace(/\/+$/, '') } };
  const sources = {
    checkout: gitCheckoutOf(env),
    gitHosts,
    building: buildingSettingsOf(env),
    nixpacks: nixpacksOf(env),
  };
  return { settings, keyRing, monitoring, ...parts, ...sources, ...engineOf(env) };
}

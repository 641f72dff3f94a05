import { z } from 'zod';
import { readEnv } from '#platform/config/read-env';
import { servicesEnv, servicesOptionsOf } from './services-env.js';

const quotaOf = (env: Record<string, string>) =>
  servicesOptionsOf(readEnv(z.object(servicesEnv), env), null).settings.quotaDefaults;

describe('the settings of services', () => {
  const optionsOf = (env: Record<string, string>) => servicesOptionsOf(readEnv(z.object(servicesEnv), env), null);

  it('reserve every port that the installation is known to listen on', () => {
    const { reservedPorts } = optionsOf({
      POSTGRES_PORT: '5433',
      PANEL_METRICS_PORT: '9999',
      SERVICES_RESERVED_PORTS: '8080',
    }).settings;
    expect([...reservedPorts].sort()).toEqual([0, 3000, 3001, 443, 5433, 80, 8080, 9464, 9466, 9999]);
  });

  it('take registry hosts', () => {
    const { allowedRegistries } = optionsOf({ SERVICES_REGISTRIES: 'registry.internal:5000, ghcr.io' }).settings;
    expect([...allowedRegistries]).toEqual(['registry.internal:5000', 'ghcr.io']);
  });

  it.each([
    [{ SERVICES_REGISTRIES: 'http://a/b' }, 'SERVICES_REGISTRIES: must be registry hosts'],
    [{ SERVICES_REGISTRIES: 'registry.internal/team' }, 'SERVICES_REGISTRIES: must be registry hosts'],
    [{ SERVICES_RESERVED_PORTS: '99999' }, 'SERVICES_RESERVED_PORTS: must be port numbers'],
    [{ SERVICES_RESERVED_PORTS: '80,0' }, 'SERVICES_RESERVED_PORTS: must be port numbers'],
  ])('refuse %j', (env, told) => expect(() => optionsOf(env)).toThrow(told));
});

describe('the quota of organisations for which none was set', () => {
  it('is no limit unless the settings give one', () => {
    expect(quotaOf({ QUOTA_SERVICES: '' })).toEqual({ services: null, cpuCores: null, memoryMb: null, diskMb: null });
    const given = { QUOTA_SERVICES: '0', QUOTA_CPU_CORES: '2.5', QUOTA_MEMORY_MB: '2048', QUOTA_DISK_MB: '1000' };
    expect(quotaOf(given)).toEqual({ services: 0, cpuCores: 2.5, memoryMb: 2048, diskMb: 1000 });
  });

  it.each([
    [{ QUOTA_SERVICES: '1.5' }, 'QUOTA_SERVICES: must be a whole number from 0 to 1000000'],
    [{ QUOTA_CPU_CORES: 'many' }, 'QUOTA_CPU_CORES: must be a number'],
    [{ QUOTA_MEMORY_MB: '-1' }, 'QUOTA_MEMORY_MB: must be a whole number'],
  ])('refuses %j', (env, told) => expect(() => quotaOf(env)).toThrow(told));
});

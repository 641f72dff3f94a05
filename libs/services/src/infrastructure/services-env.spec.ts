import { z } from 'zod';
import { readEnv } from '#platform/config/read-env';
import { servicesEnv, servicesOptionsOf } from './services-env.js';

const quotaOf = (env: Record<string, string>) =>
  servicesOptionsOf(readEnv(z.object(servicesEnv), env), null).settings.quotaDefaults;

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

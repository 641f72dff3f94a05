import type { PlanContext } from '../../../libs/services/src/domain/compose/plan-context.js';

/** A context for planning a compose file, with defaults for everything that is not given. */
export function aContext(given: Partial<PlanContext> = {}): PlanContext {
  return {
    serviceId: 'svc',
    resourceLimits: { cpuCores: 4, memoryMb: 4096, diskMb: 10_240 },
    variables: new Map(),
    organisationNetwork: { name: 'organisation_acme', owner: 'acme' },
    portsAllowed: true,
    portBindAddress: '127.0.0.1',
    reservedPorts: new Set([8443]),
    allowedRegistries: new Set(),
    ...given,
  };
}

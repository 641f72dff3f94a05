import type { StandingContainer } from '../domain/deploying/group-plan.js';
import type { GroupMember, GroupTopology } from '../domain/deploying/group-topology.js';
import type { ServiceState } from '../domain/service-state.js';
import type { Uuid } from '#kernel/crypto/uuid';

export const SERVICE_ID = '5e000000-0000-4000-8000-000000000001' as Uuid;
export const OLD = '01d00000-0000-4000-8000-000000000001' as Uuid;
export const NEW = '0e000000-0000-4000-8000-000000000002' as Uuid;

export function aMember(role: string, given: Partial<GroupMember> = {}): GroupMember {
  return {
    role,
    image: { ref: `x/${role}:1`, registry: 'x', repository: role, tag: '1', digest: null },
    imageId: 'sha256:1',
    digest: 'sha256:d',
    stopGraceMs: 10_000,
    dependsOn: [],
    oneShot: false,
    ...given,
  };
}

export function aTopology(...members: (string | GroupMember)[]): GroupTopology {
  return {
    members: members.map((member) => (typeof member === 'string' ? aMember(member) : member)),
    networks: [`${SERVICE_ID}_default`],
    volumes: [],
  };
}

/** Up and under its own name unless told otherwise. */
export function standing(
  deploymentId: string,
  role: string,
  given: Partial<StandingContainer> = {},
): StandingContainer {
  const id = `${deploymentId.slice(0, 3)}-${role}`;
  return { id, name: `${SERVICE_ID}_${role}`, deploymentId, role, isUp: true, ...given };
}

export function aService(given: Partial<ServiceState> = {}): ServiceState {
  const at = new Date('2026-05-01T08:00:00Z');
  return {
    id: SERVICE_ID,
    customerId: null,
    name: 'shop',
    description: null,
    deploymentType: 'compose',
    templateName: null,
    status: 'running',
    settledStatus: 'running',
    statusReason: null,
    desiredState: 'running',
    suspended: false,
    locked: false,
    specVersion: 1,
    currentDeploymentId: OLD,
    resourceLimits: { cpuCores: 1, memoryMb: 512, diskMb: 1024 },
    containerIds: [],
    networkId: null,
    portMappings: [],
    endings: [],
    startedAt: at,
    createdAt: at,
    ...given,
  };
}

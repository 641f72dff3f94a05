import { SecretText } from '#kernel/crypto/secret-text';
import type { ContainerSpec } from '../../../libs/services/src/application/ports/engine/container-runtime.js';
import type { ContainerPlan, ImageReference } from '../../../libs/services/src/domain/service-plan.js';

const MEBIBYTE = 1024 * 1024;

/** The plan of a minimal compose file, with defaults for everything that is not given. */
export function aContainerPlan(given: Partial<ContainerPlan> = {}): ContainerPlan {
  return {
    name: 'web',
    image: anImageReference('registry.example.com/acme/web:1'),
    command: null,
    entrypoint: null,
    environment: new Map(),
    mounts: [],
    tmpfs: [],
    files: [],
    ports: [],
    expose: [],
    networks: [],
    dependsOn: [],
    healthcheck: null,
    restart: { name: 'no', maximumRetries: 0 },
    stopGraceMs: null,
    stopSignal: null,
    init: false,
    readOnly: false,
    user: null,
    workingDir: null,
    hostname: null,
    shmSizeBytes: null,
    ulimits: [],
    tty: false,
    stdinOpen: false,
    extraHosts: [],
    dns: [],
    labels: new Map(),
    groupAdd: [],
    security: { noNewPrivileges: true, capDrop: ['ALL'], capAdd: [] },
    resources: { cpus: 0.5, memoryBytes: 64 * MEBIBYTE, memoryReservationBytes: null, pids: 64 },
    logging: { driver: 'json-file', maxSizeBytes: 10_000_000, maxFiles: 3 },
    ...given,
  };
}

export function aContainerSpec(
  given: Partial<Omit<ContainerSpec, 'plan'>> & { readonly serviceId: string; readonly imageId: string },
  plan: Partial<ContainerPlan> = {},
): ContainerSpec {
  const whole = aContainerPlan(plan);
  return {
    name: `${given.serviceId}-${whole.name}`,
    owner: { serviceId: given.serviceId, deploymentId: 'deployment-1', role: whole.name, specHash: 'hash-1' },
    environment: new Map([['GREETING', new SecretText('hello')]]),
    plan: whole,
    ...given,
  };
}

/** Parses `host/name:tag` and `host/name@digest`. The host is required. */
export function anImageReference(ref: string): ImageReference {
  const [named = '', digest = null] = ref.split('@');
  const [registry = '', ...path] = named.split('/');
  const [repository = '', tag = null] = path.join('/').split(':');
  return { ref, registry, repository, tag: tag ?? (digest ? null : 'latest'), digest };
}

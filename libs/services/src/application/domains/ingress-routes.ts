import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Unavailable } from '#kernel/errors';
import { wantedState } from '../../domain/service-state.js';
import { atMost } from '../monitoring/at-most.js';
import { ContainerRuntime } from '../ports/engine/container-runtime.js';
import type { OwnedContainer } from '../ports/engine/container-state.js';
import { DomainRepository, type RoutedDomain } from '../ports/ingress/domain-repository.js';
import { Ingress, type IngressRoute, type Upstream } from '../ports/ingress/ingress.js';

const INSPECTED_AT_ONCE = 8;

/**
 * Keeps the routes of the ingress in line with the domains. The database says which container a domain points to, the
 * engine says its current address. Only containers that have passed their health gate count, so a deployment changes a
 * route once: from the old containers to the new ones.
 */
@Injectable()
export class IngressRoutes {
  private running: Promise<void> | null = null;
  private waiting: Promise<void> | null = null;

  constructor(
    private readonly domains: DomainRepository,
    private readonly runtime: ContainerRuntime,
    private readonly ingress: Ingress,
  ) {}

  /**
   * Syncs after a change of one service. Does nothing if the service has no domains.
   * @returns whether it has domains @throws the errors of `sync`
   */
  async syncService(serviceId: Uuid): Promise<boolean> {
    if (!this.ingress.isOn || !(await this.domains.hasAny(serviceId))) return false;
    await this.sync();
    return true;
  }

  /**
   * Like `syncService`, but an unavailable ingress or engine is not an error: the worker syncs all routes regularly.
   */
  async trySyncService(serviceId: Uuid): Promise<void> {
    await this.syncService(serviceId).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error;
    });
  }

  /**
   * Updates all routes to the current state of the database. Calls during a run share the next run.
   * @throws IngressUnavailable; EngineUnavailable; the routes are then unchanged
   */
  async sync(): Promise<void> {
    if (!this.ingress.isOn) return;
    if (!this.running) return this.run();
    this.waiting ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.waiting = null;
        return this.run();
      });
    return this.waiting;
  }

  /** Checks cheaply whether somebody else has changed the ingress, and restores the routes if so. */
  async restore(): Promise<void> {
    if (!this.ingress.isOn || (await this.ingress.isUntouched())) return;
    await this.sync();
  }

  private run(): Promise<void> {
    this.running = this.ingress.apply(() => this.wanted()).finally(() => (this.running = null));
    return this.running;
  }

  private async wanted(): Promise<readonly IngressRoute[]> {
    const routed = await this.domains.routed();
    if (routed.length === 0) return [];
    const { containers } = await this.runtime.listOwned(null);
    const targets = new Map(routed.map((domain) => [domain.id, targetOf(domain, containers)]));
    const ids = [...new Set([...targets.values()].flatMap((id) => id ?? []))];
    const addresses = new Map<string, string | null>();
    await atMost(INSPECTED_AT_ONCE, ids, async (id) => {
      addresses.set(id, await this.addressOf(id));
    });
    return routed.map(({ id, host, tls, targetPort }) => {
      const address = addresses.get(targets.get(id) ?? '') ?? null;
      const upstream: Upstream | null = address === null ? null : { address, port: targetPort };
      return { id, host, tls, upstream };
    });
  }

  private async addressOf(containerId: string): Promise<string | null> {
    return (await this.runtime.inspect(containerId))?.hostAddress ?? null;
  }
}

/** The container that the domain points to, if it is running and should be. */
function targetOf({ service, targetService }: RoutedDomain, containers: readonly OwnedContainer[]): string | null {
  if (wantedState(service) === 'stopped') return null;
  const target = containers.find(
    ({ owner, lifecycle }) =>
      owner.serviceId === service.id &&
      owner.deploymentId === service.currentDeploymentId &&
      owner.role === targetService &&
      lifecycle === 'running',
  );
  return target?.id ?? null;
}

import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import type { Deployment } from '../../domain/deploying/deployment.js';
import { failureCodeOf, isPassing } from '../../domain/deploying/deploy-failure.js';
import { driftOf, type Drift, type StandingGroup } from '../../domain/deploying/drift.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import { isResting, type ServiceState } from '../../domain/service-state.js';
import { ActionRefused } from '../../domain/services-errors.js';
import { DeployQueue } from '../ports/deploy-queue.js';
import { ContainerRuntime } from '../ports/engine/container-runtime.js';
import type { ContainerEvent, OwnedResources } from '../ports/engine/container-state.js';
import { FinishedWork, rolesOf } from '../deploying/finished-work.js';
import { toStanding } from '../controlling/group-operator.js';
import { ServiceControl } from '../controlling/service-control.js';
import { ServiceRecords, THE_PANEL } from '../service-records.js';

/** The differences found for a service, and the action taken. */
export interface ServiceFinding {
  readonly serviceId: string;
  readonly name: string;
  readonly findings: readonly string[];
  readonly action: 'scheduled' | 'marked as error' | 'left alone';
}

/** An exit of a container, as reported by the engine. */
export type Ending = Pick<ContainerEvent, 'deploymentId' | 'containerId' | 'exitCode' | 'at'>;

const MAX_SENT = 500;
const MAX_TAKEN_UP = 8;
/** How long an exit that an event reported is remembered, so that it is not counted twice. */
const COUNTED_FOR_MS = 30_000;

/**
 * Compares the desired state of all services with the engine, which is queried once. Deployments without a worker are
 * sent to the queue again; services that drifted get a repair operation.
 */
@Injectable()
export class ReconcileServices {
  constructor(
    private readonly records: ServiceRecords,
    private readonly control: ServiceControl,
    private readonly runtime: ContainerRuntime,
    private readonly queue: DeployQueue,
    private readonly finished: FinishedWork,
  ) {}

  /** @returns how many deployments were sent to the queue again */
  async resend(): Promise<number> {
    const ids = await this.records.deployments.withoutWorker(MAX_SENT);
    if (ids.length > 0) await this.queue.send(ids);
    return ids.length;
  }

  /**
   * Deployments of dead workers. The queue still assigns their jobs to the dead worker for a while, so the caller
   * executes them without a job.
   */
  abandoned(): Promise<readonly Uuid[]> {
    return this.records.deployments.abandoned(MAX_TAKEN_UP);
  }

  /**
   * @param only one service; null for all of them
   * @returns the differences found @throws EngineUnavailable; NotFound for a single service that does not exist
   */
  async survey(only: Uuid | null = null): Promise<readonly ServiceFinding[]> {
    const owned = await this.runtime.listOwned(only);
    const services = (await this.records.services.all()).filter(({ id }) => only === null || id === only);
    if (only !== null && services.length === 0) throw new NotFound();
    const busy = await this.records.deployments.busyServices();
    const current = await this.currentOf(services);
    const found: ServiceFinding[] = [];
    for (const service of services) {
      if (busy.has(service.id)) continue;
      const deployment = current.get(service.currentDeploymentId ?? '');
      const finding = await this.assess(service, deployment ?? null, standingOf(service.id, owned));
      if (finding) found.push(finding);
    }
    const known = new Set<string>(services.map(({ id }) => id));
    return [...found, ...strangers(owned, known)];
  }

  /** A container of a service ended by itself. @throws EngineUnavailable */
  async noteEnding(serviceId: Uuid, { deploymentId, containerId, exitCode, at }: Ending): Promise<void> {
    const { services, deployments, transactions } = this.records;
    if (exitCode === 0 && (await this.isDone(deploymentId, containerId))) return;
    await transactions.run(async () => {
      const service = await services.getForUpdate(OrganisationScope.everything, serviceId);
      if (!service) return;
      const { status, currentDeploymentId, startedAt } = service.state;
      if (status !== 'running' || currentDeploymentId !== deploymentId) return;
      if (startedAt === null || at < startedAt) return;
      const { running, queued } = await deployments.open(serviceId);
      if (running || queued) return;
      service.noteEnding(at);
      await services.update(service);
    });
  }

  private async assess(
    service: ServiceState,
    current: Deployment | null,
    standing: StandingGroup,
  ): Promise<ServiceFinding | null> {
    const { id, name } = service;
    const { drift, exhausted } = await this.compare(service, current, standing);
    const wanted = await this.wantsAction(service, drift);
    if (wanted === null) {
      if (drift.findings.length === 0) return null;
      return { serviceId: id, name, findings: drift.findings, action: 'left alone' };
    }
    if (drift.down.length > 0 && (await this.giveUp(service, exhausted))) {
      return { serviceId: id, name, findings: drift.findings, action: 'marked as error' };
    }
    const scheduled = await this.schedule(service, wanted);
    const findings = drift.findings.length > 0 ? drift.findings : [`it is ${service.status}`];
    return { serviceId: id, name, findings, action: scheduled ? 'scheduled' : 'left alone' };
  }

  /** A container that is not running may have completed. If so, that is recorded. */
  private async compare(service: ServiceState, current: Deployment | null, standing: StandingGroup) {
    const drift = driftOf(service, current?.topology ?? null, standing);
    if (!current || service.status !== 'running' || drift.down.length === 0) return { drift, exhausted: false };
    const down = standing.containers.filter(({ isUp, role }) => !isUp && drift.down.includes(role));
    const fates = await this.finished.fates(current, down);
    const exhausted = rolesOf(fates, 'exhausted').size > 0;
    const done = rolesOf(fates, 'done');
    if (done.size === 0) return { drift, exhausted };
    const noted = await this.finished.note(current.id, done);
    return { drift: driftOf(service, noted?.topology ?? null, standing), exhausted };
  }

  private async isDone(deploymentId: string, containerId: string): Promise<boolean> {
    const id = parseUuid(deploymentId);
    const [deployment] = id ? await this.records.deployments.find([id]) : [];
    if (!deployment) return false;
    return rolesOf(await this.finished.fates(deployment, [{ id: containerId }]), 'done').size > 0;
  }

  /** Null: do nothing. A service that failed by itself waits for its owner. */
  private async wantsAction(service: ServiceState, drift: Drift): Promise<'reconcile' | 'remove' | null> {
    if (service.status === 'removing') return 'remove';
    // A transitional status without an open operation is left over from a crash.
    if (!isResting(service.status)) return 'reconcile';
    if (service.status !== 'error') return drift.findings.length > 0 ? 'reconcile' : null;
    const last = await this.records.deployments.lastFinished(service.id);
    return last?.status === 'failed' && isPassing(failureCodeOf(last.errorMessage)) ? 'reconcile' : null;
  }

  /** Counts the exit. After too many exits, or if the engine stopped restarting, the service is marked as failed. */
  private async giveUp({ id }: ServiceState, exhausted: boolean): Promise<boolean> {
    const { services, transactions, clock } = this.records;
    return transactions.run(async () => {
      const service = await services.getForUpdate(OrganisationScope.everything, id);
      if (!service || service.state.status !== 'running') return false;
      const now = clock.now();
      const last = service.state.endings.at(-1)?.getTime() ?? 0;
      if (now.getTime() - last >= COUNTED_FOR_MS) service.noteEnding(now);
      if (exhausted) service.engineGaveUp(now);
      await services.update(service);
      return service.hasFailed;
    });
  }

  private async schedule({ id }: ServiceState, action: 'reconcile' | 'remove'): Promise<boolean> {
    try {
      await this.control.act(OrganisationScope.everything, id, action, THE_PANEL);
      return true;
    } catch (error) {
      // Its owner was faster.
      if (error instanceof ActionRefused) return false;
      throw error;
    }
  }

  private async currentOf(services: readonly ServiceState[]): Promise<ReadonlyMap<string, Deployment>> {
    const ids = services.flatMap(({ currentDeploymentId }) => currentDeploymentId ?? []);
    return new Map((await this.records.deployments.find(ids)).map((deployment) => [deployment.id, deployment]));
  }
}

function standingOf(serviceId: string, { containers, networks, volumes }: OwnedResources): StandingGroup {
  return {
    containers: containers.filter(({ owner }) => owner.serviceId === serviceId).map(toStanding),
    resources: new Set(
      [...networks, ...volumes].filter((owned) => owned.serviceId === serviceId).map(({ name }) => name),
    ),
  };
}

/** Resources with our labels but without a known service. They are reported and never touched: they may hold data. */
function strangers({ containers, networks, volumes }: OwnedResources, known: ReadonlySet<string>): ServiceFinding[] {
  const all = [
    ...containers.map(({ name, owner }) => ({ serviceId: owner.serviceId, text: `container ${name}` })),
    ...networks.map(({ name, serviceId }) => ({ serviceId, text: `network ${name}` })),
    ...volumes.map(({ name, serviceId }) => ({ serviceId, text: `volume ${name}` })),
  ].filter(({ serviceId }) => !known.has(serviceId));
  return [...new Set(all.map(({ serviceId }) => serviceId))].map((serviceId) => ({
    serviceId,
    name: '',
    findings: all.filter((one) => one.serviceId === serviceId).map(({ text }) => `${text} belongs to no known service`),
    action: 'left alone',
  }));
}

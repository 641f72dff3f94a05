import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  DeployRunner,
  OrganisationScope,
  ReconcileServices,
  resourceLimits,
  ServiceControl,
  ServiceDomains,
  ServiceIntake,
  ServiceQueries,
  type DeploymentView,
  type DeployTimes,
  type ServiceAction,
  type ServiceDomain,
  type ServiceView,
} from '#libs/services';
import type { TestDatabase } from '../test-database.js';

const NOBODY = { userId: null, apiKeyId: null };
/** The deployment pipeline without HTTP and without workers. Tests call the runner themselves. */
export class Pipeline {
  readonly intake: ServiceIntake;
  readonly control: ServiceControl;
  readonly runner: DeployRunner;
  readonly reconcile: ReconcileServices;
  readonly queries: ServiceQueries;
  readonly domains: ServiceDomains;
  private names = 0;

  constructor(
    readonly app: INestApplicationContext,
    readonly database: TestDatabase,
    readonly times: DeployTimes,
  ) {
    this.intake = app.get(ServiceIntake);
    this.control = app.get(ServiceControl);
    this.runner = app.get(DeployRunner);
    this.reconcile = app.get(ReconcileServices);
    this.queries = app.get(ServiceQueries);
    this.domains = app.get(ServiceDomains);
  }

  /** Accepts a new service without deploying it. */
  async accept(composeYaml: string, given: { customerId?: Uuid; variables?: Record<string, string> } = {}) {
    this.names += 1;
    const request = {
      name: `service ${this.names} ${randomBytes(3).toString('hex')}`,
      composeYaml,
      portsAllowed: true,
      description: null,
      customerId: given.customerId ?? null,
      resourceLimits: resourceLimits({ memoryMb: 2048, cpuCores: 4 }),
      variables: new Map(Object.entries(given.variables ?? {})),
    };
    return this.intake.fromCompose(request, NOBODY);
  }

  /** Accepts a new service and deploys it. @returns its id */
  async create(composeYaml: string, given: { customerId?: Uuid; variables?: Record<string, string> } = {}) {
    const accepted = await this.accept(composeYaml, given);
    await this.runner.run(accepted.deploymentId);
    return accepted.serviceId;
  }

  ask(serviceId: Uuid, action: Exclude<ServiceAction, 'update' | 'rollback'>) {
    return this.control.act(OrganisationScope.everything, serviceId, action, NOBODY);
  }

  /** Requests an action and carries it out. @returns the newest deployment; null if the service no longer exists */
  async do(serviceId: Uuid, action: Exclude<ServiceAction, 'update' | 'rollback'>): Promise<DeploymentView | null> {
    const { deploymentId } = await this.ask(serviceId, action);
    if (deploymentId) await this.runner.run(deploymentId);
    return this.last(serviceId);
  }

  async rollback(serviceId: Uuid, deploymentId: Uuid): Promise<DeploymentView | null> {
    const accepted = await this.control.rollback(OrganisationScope.all, serviceId, deploymentId, NOBODY);
    await this.runner.run(accepted.deploymentId!);
    return this.last(serviceId);
  }

  cancel(deploymentId: Uuid): Promise<DeploymentView> {
    return this.control.cancel(OrganisationScope.all, deploymentId);
  }

  /** Adds a domain that points to a container, by default `web`. */
  nameOnTheWeb(serviceId: Uuid, host: string, targetService = 'web'): Promise<ServiceDomain> {
    const asked = { host, targetService, targetPort: 8080, isPrimary: null, tls: 'automatic' } as const;
    return this.domains.add(OrganisationScope.all, serviceId, asked, NOBODY);
  }

  domainsOf(serviceId: Uuid): Promise<readonly ServiceDomain[]> {
    return this.domains.list(OrganisationScope.all, serviceId);
  }

  service(serviceId: Uuid): Promise<ServiceView | null> {
    return this.queries.get(OrganisationScope.all, serviceId);
  }

  /** Newest first. */
  async deployments(serviceId: Uuid): Promise<readonly DeploymentView[]> {
    return (await this.queries.deployments(OrganisationScope.all, serviceId, { offset: 0, limit: 100 })) ?? [];
  }

  async last(serviceId: Uuid): Promise<DeploymentView | null> {
    return (await this.deployments(serviceId))[0] ?? null;
  }

  /** Does what a worker does after the crash of another one: takes over its open operations and reconciles. */
  async recover(): Promise<void> {
    await this.endLeases();
    await this.workOff();
    await this.reconcile.survey();
    await this.workOff();
  }

  /** Expires all leases. */
  async endLeases(): Promise<void> {
    await this.sql("update services.services set lease_expires_at = now() - interval '1 second'");
  }

  /** Carries out all open operations. */
  async workOff(): Promise<void> {
    for (const id of await this.open()) await this.runner.run(id);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.database.drop();
  }

  private async open(): Promise<Uuid[]> {
    const open = await this.sql("select id from services.deployments where status in ('queued', 'running')");
    return (open as { id: Uuid }[]).map(({ id }) => id);
  }

  private sql(statement: string): Promise<unknown> {
    return this.app.get(DataSource).query(statement);
  }
}

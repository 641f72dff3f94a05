import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  ContainerRuntime,
  OrganisationScope,
  ServiceQueries,
  TemplateServices,
  type ServiceView,
  type TemplateService,
} from '#libs/services';
import { TemplateCatalog, type Template } from '#libs/templates';
import { BackupFailed, NotBackedUp, RestoreInProgress } from '../domain/backup-errors.js';
import type { BackupOrigin } from '../domain/backup-state.js';
import type { DatabaseMethod } from './methods/database-method.js';
import type { DatabaseTarget } from './programs/database-target.js';

export const DATABASE_METHODS = Symbol('the ways to back databases up');

/** A service whose data can be backed up. */
export interface DatabaseService {
  readonly view: ServiceView;
  readonly service: TemplateService;
  readonly template: Template;
  readonly method: DatabaseMethod;
  readonly origin: BackupOrigin;
}

const POLL_MS = 250;
const STOP_MS = 120_000;

/** Finds services made from database templates, and their running servers. */
@Injectable()
export class DatabaseServices {
  constructor(
    private readonly queries: ServiceQueries,
    private readonly services: TemplateServices,
    private readonly catalog: TemplateCatalog,
    private readonly runtime: ContainerRuntime,
    @Inject(DATABASE_METHODS) private readonly methods: readonly DatabaseMethod[],
  ) {}

  /** @throws NotFound; NotBackedUp */
  async find(scope: OrganisationScope, serviceId: Uuid): Promise<DatabaseService> {
    const view = await this.queries.get(scope, serviceId);
    if (!view) throw new NotFound();
    const service = view.deploymentType === 'template' ? await this.services.get(serviceId) : null;
    const template = service && this.catalog.bySlug(service.template);
    const method = template && this.methods.find(({ templates }) => templates.includes(template.slug));
    if (!service || !template || !method) throw new NotBackedUp();
    return { view, service, template, method, origin: originOf(view, service) };
  }

  /** @throws NotFound */
  async assertExists(scope: OrganisationScope, serviceId: Uuid): Promise<void> {
    if (!(await this.queries.get(scope, serviceId))) throw new NotFound();
  }

  /** Whether the service is stopped or suspended, so that its data do not change. @throws NotFound; NotBackedUp */
  async isAtRest(serviceId: Uuid): Promise<boolean> {
    const { view } = await this.find(OrganisationScope.all, serviceId);
    return view.status === 'stopped' || view.status === 'suspended';
  }

  /** @throws BackupFailed when this installation no longer has the template */
  ofOrigin({ template: slug }: BackupOrigin): { readonly template: Template; readonly method: DatabaseMethod } {
    const template = this.catalog.bySlug(slug);
    const method = this.methods.find(({ templates }) => templates.includes(slug));
    if (!template || !method) throw new BackupFailed(`This installation no longer has the template ${slug}.`);
    return { template, method };
  }

  /** The running server of a service. @throws BackupFailed when none runs; NotFound; NotBackedUp */
  async target(serviceId: Uuid, signal: AbortSignal): Promise<DatabaseTarget & { readonly imageId: string }> {
    const found = await this.find(OrganisationScope.all, serviceId);
    const { containers } = await this.runtime.listOwned(serviceId, signal);
    const running = containers.find(
      ({ id, lifecycle }) => lifecycle === 'running' && found.view.containerIds.includes(id),
    );
    if (!running) throw new BackupFailed('The database does not run.');
    const { hostName, database, user, memoryMb, cpuCores } = found.origin;
    return {
      containerId: running.id,
      imageId: running.imageId,
      template: found.template.slug,
      input: { serviceName: hostName, database, user, memoryMb, cpuCores },
      secrets: await this.services.secrets(serviceId),
      restart: (until) => this.restart(running.id, until),
    };
  }

  /** Starts a server again that a worker stopped, and then died. One that its owner has stopped stays so. */
  async wake(serviceId: Uuid, signal: AbortSignal): Promise<void> {
    const { view } = await this.find(OrganisationScope.all, serviceId);
    if (view.status === 'stopped' || view.status === 'suspended') return;
    const { containers } = await this.runtime.listOwned(serviceId, signal);
    const asleep = containers.find(({ id, lifecycle }) => lifecycle === 'exited' && view.containerIds.includes(id));
    if (asleep) await this.start(asleep.id, signal);
  }

  private async restart(containerId: string, signal: AbortSignal): Promise<void> {
    await this.runtime.stop(containerId, STOP_MS, { guard: () => Promise.resolve(), signal });
    await this.start(containerId, signal);
  }

  private async start(containerId: string, signal: AbortSignal): Promise<void> {
    await this.runtime.start(containerId, { guard: () => Promise.resolve(), signal });
    for (;;) {
      const found = await this.runtime.inspect(containerId, signal);
      if (!found) throw new BackupFailed('The container of the database is gone.');
      if (found.lifecycle === 'running' && found.health !== 'starting') return;
      await sleep(POLL_MS, undefined, { signal });
    }
  }
}

/** Refuses a service whose data are still being restored: they are incomplete. @throws RestoreInProgress */
export function assertHasData({ service }: DatabaseService): void {
  if (service.awaitsDataSince !== null) throw new RestoreInProgress();
}

function originOf(view: ServiceView, service: TemplateService): BackupOrigin {
  const { serviceName: hostName, template, database, user, image } = service;
  return { serviceName: view.name, template, hostName, database, user, image, imageId: null, ...view.resourceLimits };
}

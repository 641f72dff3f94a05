import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Conflict } from '#kernel/errors';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import type { ResourceLimits } from '../../domain/resource-limits.js';
import { ServiceControl } from '../controlling/service-control.js';
import type { AcceptedAction } from '../controlling/acceptance.js';
import { ContainerRuntime } from '../ports/engine/container-runtime.js';
import { OwnServiceRepository, type OwnService } from '../ports/own-service-repository.js';
import { ServiceQueries, type ServiceView } from '../ports/service-queries.js';
import { ServiceRecords, THE_PANEL } from '../service-records.js';
import { ServiceIntake, type AcceptedService } from './service-intake.js';

export interface WantedOwnService extends Omit<OwnService, 'serviceId'> {
  readonly composeYaml: string;
  readonly resourceLimits: ResourceLimits;
}

export interface RunningOwnService extends OwnService {
  readonly service: ServiceView;
}

/**
 * Services that the panel runs for itself, by the same pipeline as all others. They appear in no list or total, and no
 * route of the API finds them.
 */
@Injectable()
export class OwnServices {
  constructor(
    private readonly own: OwnServiceRepository,
    private readonly intake: ServiceIntake,
    private readonly control: ServiceControl,
    private readonly queries: ServiceQueries,
    private readonly runtime: ContainerRuntime,
    private readonly records: ServiceRecords,
  ) {}

  /** @throws Conflict `already_installed`; Invalid as for any compose file */
  install(wanted: WantedOwnService): Promise<AcceptedService> {
    const { purpose, role, port, details, composeYaml, resourceLimits } = wanted;
    // The random part keeps the name from colliding with those of customers.
    const name = `${purpose}-${this.records.randomness.uuid()}`;
    const request = {
      name,
      description: null,
      customerId: null,
      portsAllowed: false,
      variables: new Map<string, string>(),
      composeYaml,
      resourceLimits,
      git: null,
    };
    return this.intake.accept(request, THE_PANEL, {
      deploymentType: 'compose',
      templateName: null,
      trigger: 'create',
      isOwn: true,
      alongside: async (serviceId) => {
        if (!(await this.own.insert({ purpose, serviceId, role, port, details })))
          throw new Conflict('already_installed', 'It is installed already. Remove it first.');
      },
    });
  }

  async find(purpose: string): Promise<RunningOwnService | null> {
    const own = await this.own.find(purpose);
    const service = own && (await this.queries.get(OrganisationScope.everything, own.serviceId));
    return own && service ? { ...own, service } : null;
  }

  /** Removes the service with its data. @returns null if there is none */
  async remove(purpose: string): Promise<AcceptedAction | null> {
    const own = await this.own.find(purpose);
    return own && this.control.act(OrganisationScope.everything, own.serviceId, 'remove', THE_PANEL);
  }

  /** Its current address in the network of the engine's host. @returns null while it is not running */
  async address({ serviceId, role, port }: Pick<OwnService, 'serviceId' | 'role' | 'port'>): Promise<string | null> {
    const { containers } = await this.runtime.listOwned(serviceId);
    for (const { id } of containers.filter(({ owner }) => owner.role === role)) {
      const state = await this.runtime.inspect(id);
      const ip = state?.networks.map(({ ipAddress }) => ipAddress).find((found) => found !== null);
      if (ip) return `${ip}:${port}`;
    }
    return null;
  }

  /** Finds any service, including hidden ones. */
  show(id: Uuid): Promise<ServiceView | null> {
    return this.queries.get(OrganisationScope.everything, id);
  }
}

import { Injectable } from '@nestjs/common';
import { DomainError } from '#kernel/errors';
import {
  possibleTargets,
  resolveTarget,
  type AskedTarget,
  type PossibleTarget,
} from '../../domain/domains/domain-target.js';
import type { DomainTarget } from '../../domain/domains/service-domain.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import type { ServiceState } from '../../domain/service-state.js';
import { Specification } from '../intake/specification.js';
import { SpecStore } from '../ports/spec-store.js';
import { ServiceRecords } from '../service-records.js';
import { ServicesSettings } from '../settings.js';

/** Determines the container and port of a service that a domain points to. */
@Injectable()
export class DomainTargets {
  constructor(
    private readonly specs: SpecStore,
    private readonly specification: Specification,
    private readonly records: ServiceRecords,
    private readonly settings: ServicesSettings,
  ) {}

  /** @throws Invalid naming the field that is missing or does not match the service */
  async resolve(service: ServiceState, asked: AskedTarget): Promise<DomainTarget> {
    return resolveTarget(asked, await this.possible(service));
  }

  /** From the specification of the service or, if that cannot be read, from its running containers. */
  private async possible(service: ServiceState): Promise<readonly PossibleTarget[]> {
    try {
      const spec = await this.specs.open(service.id, service.specVersion);
      const source = { ...spec, portsAllowed: true, customerId: service.customerId };
      const { templateRegistry } = this.settings;
      const plan = await this.specification.plan(service.id, source, service.resourceLimits, templateRegistry);
      return possibleTargets(plan);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const id = service.currentDeploymentId;
      const serving = id && (await this.records.deployments.get(OrganisationScope.everything, id));
      return (serving ? (serving.topology?.members ?? []) : []).map(({ role }) => ({ name: role, ports: [] }));
    }
  }
}

import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Deployment } from '../../domain/deploying/deployment.js';
import type { DeploymentActor } from '../../domain/deploying/deployment-state.js';
import type { ResourceLimits } from '../../domain/resource-limits.js';
import type { ServicePlan } from '../../domain/service-plan.js';
import type { ServiceStatus } from '../../domain/service-state.js';
import { Service } from '../../domain/service.js';
import { OrganisationQuotas } from '../quota/organisation-quotas.js';
import { SpecStore } from '../ports/spec-store.js';
import { Dispatch } from '../deploying/dispatch.js';
import { ServiceRecords } from '../service-records.js';
import { publishedPorts, Specification, type OfferedText } from './specification.js';

export interface NewService extends OfferedText {
  readonly name: string;
  readonly description: string | null;
  readonly customerId: Uuid | null;
  readonly resourceLimits: ResourceLimits;
}

export interface AcceptedService {
  readonly serviceId: Uuid;
  readonly deploymentId: Uuid;
  readonly status: ServiceStatus;
}

const HASH_KEY_BYTES = 32;

/** Takes new services in: checked as a whole, stored with their first deployment, and carried out later. */
@Injectable()
export class ServiceIntake {
  constructor(
    private readonly specification: Specification,
    private readonly specs: SpecStore,
    private readonly quotas: OrganisationQuotas,
    private readonly records: ServiceRecords,
    private readonly dispatch: Dispatch,
  ) {}

  /**
   * What `fromCompose` would make, with its warnings; nothing is stored.
   * @param customerId whose secrets the file may name; they are not looked for without it
   * @throws Invalid as `fromCompose`
   */
  validate(source: OfferedText, limits: ResourceLimits, customerId?: Uuid): Promise<ServicePlan> {
    return this.specification.planRequest(this.records.randomness.uuid(), customerId, source, limits);
  }

  /**
   * @throws Invalid for a compose file that is refused; UnknownCustomer
   * @throws ServiceNameTaken; HostPortTaken; QuotaExceeded, for whoever asks
   */
  async fromCompose(request: NewService, actor: DeploymentActor): Promise<AcceptedService> {
    const { randomness, clock, transactions, services } = this.records;
    const { name, description, customerId, resourceLimits, composeYaml, variables } = request;
    const id = randomness.uuid();
    const plan = await this.specification.planRequest(id, customerId, request, resourceLimits);
    const now = clock.now();
    const service = Service.create({
      id,
      customerId,
      name,
      description,
      deploymentType: 'compose',
      templateName: null,
      resourceLimits,
      createdAt: now,
    });
    const deployment = Deployment.queue({
      id: randomness.uuid(),
      serviceId: id,
      trigger: 'create',
      actor,
      specVersion: 1,
      createdAt: now,
    });
    const sealed = this.specs.seal(id, 1, {
      composeYaml,
      variables,
      resourceLimits,
      hashKey: randomness.bytes(HASH_KEY_BYTES),
    });
    const ports = publishedPorts(plan);
    const store = () => services.insert(service, sealed, deployment);
    // With nothing to be asked besides, the one statement is the whole transaction.
    if (customerId === null && ports.length === 0) await store();
    else
      await transactions.run(async () => {
        await store();
        if (customerId !== null) await this.quotas.admit(customerId);
        await services.claimPorts(id, ports);
      });
    this.dispatch.send(deployment.id);
    return { serviceId: id, deploymentId: deployment.id, status: service.state.status };
  }
}

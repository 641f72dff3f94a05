import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Deployment } from '../../domain/deploying/deployment.js';
import type { StandingContainer } from '../../domain/deploying/group-plan.js';
import { fateOf, type Fate } from '../../domain/deploying/group-topology.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import { ContainerRuntime } from '../ports/engine/container-runtime.js';
import { ServiceRecords } from '../service-records.js';

/** Distinguishes containers that have completed from those that should run again. */
@Injectable()
export class FinishedWork {
  constructor(
    private readonly records: ServiceRecords,
    private readonly runtime: ContainerRuntime,
  ) {}

  /** The fate of each of these containers, by role. @throws EngineUnavailable */
  async fates(
    { topology }: Deployment,
    containers: readonly Pick<StandingContainer, 'id'>[],
  ): Promise<ReadonlyMap<string, Fate>> {
    const found = await Promise.all(containers.map(({ id }) => this.runtime.inspect(id)));
    return new Map(
      found.flatMap((details): [string, Fate][] => {
        const member = topology?.members.find(({ role }) => role === details?.owner.role);
        return details && member ? [[member.role, fateOf(member, details)]] : [];
      }),
    );
  }

  /** Records that these members have completed, so that monitoring and reconciliation do not start them again. */
  async note(deploymentId: Uuid, roles: ReadonlySet<string>): Promise<Deployment | null> {
    const { deployments, services, transactions } = this.records;
    return transactions.run(async () => {
      const seen = await deployments.get(OrganisationScope.everything, deploymentId);
      if (!seen || !(await services.getForUpdate(OrganisationScope.everything, seen.serviceId))) return null;
      const deployment = await deployments.get(OrganisationScope.everything, deploymentId);
      if (!deployment?.topology) return deployment;
      deployment.noteFinishedWork(roles);
      await deployments.update(deployment);
      return deployment;
    });
  }
}

export function rolesOf(fates: ReadonlyMap<string, Fate>, wanted: Fate): ReadonlySet<string> {
  return new Set([...fates].flatMap(([role, fate]) => (fate === wanted ? [role] : [])));
}

import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { actorOf, type Caller } from '#libs/panel-auth';
import {
  GitDeploys,
  PushHooks,
  resourceLimits,
  ServiceIntake,
  type NewGitService,
  type OrganisationScope,
} from '#libs/services';
import { ComposeSourceDto } from '../services/create-service.dto.js';
import type { AcceptedActionDto, AcceptedServiceDto } from '../services/service.dto.js';
import type { DeployRefDto, NewGitServiceDto } from './create-git-service.dto.js';
import { gitSourceOf } from './git-fields.dto.js';
import type { DeliveryAnswerDto } from './hook.dto.js';

/** What the repository routes of both areas do. */
@Injectable()
export class GitRequests {
  constructor(
    private readonly intake: ServiceIntake,
    private readonly deploys: GitDeploys,
    private readonly hooks: PushHooks,
  ) {}

  create(caller: Caller, body: NewGitServiceDto, customerId: Uuid | null): Promise<AcceptedServiceDto> {
    return this.intake.fromGit(GitRequests.newService(body, customerId), actorOf(caller));
  }

  static newService(body: NewGitServiceDto, customerId: Uuid | null): NewGitService {
    const { name, description = null, resource_limits: limits } = body;
    return {
      name,
      description,
      customerId,
      git: gitSourceOf(body),
      variables: ComposeSourceDto.values(body),
      resourceLimits: resourceLimits(ComposeSourceDto.givenLimits(limits ?? {})),
    };
  }

  async deploy(caller: Caller, scope: OrganisationScope, id: Uuid, body: DeployRefDto): Promise<AcceptedActionDto> {
    const request = { ref: body.ref ?? null, trigger: 'git', actor: actorOf(caller) } as const;
    const { serviceId, deploymentId, status } = await this.deploys.deploy(scope, id, request);
    const message = deploymentId === null ? 'There is nothing to do.' : 'The commit is fetched, built and deployed.';
    return { serviceId, deploymentId, status, message };
  }

  redeliver(caller: Caller, scope: OrganisationScope, id: Uuid, deliveryId: Uuid): Promise<DeliveryAnswerDto> {
    return this.hooks.redeliver(scope, id, deliveryId, actorOf(caller));
  }
}

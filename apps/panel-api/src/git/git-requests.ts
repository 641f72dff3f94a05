import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { actorOf, type Caller } from '#libs/panel-auth';
import {
  folderPath,
  GitDeploys,
  resourceLimits,
  ServiceIntake,
  type GitSource,
  type OrganisationScope,
} from '#libs/services';
import { ComposeSourceDto } from '../services/create-service.dto.js';
import type { AcceptedActionDto, AcceptedServiceDto } from '../services/service.dto.js';
import type { DeployRefDto, NewGitServiceDto } from './create-git-service.dto.js';

/** What the routes about repositories do in every area. */
@Injectable()
export class GitRequests {
  constructor(
    private readonly intake: ServiceIntake,
    private readonly deploys: GitDeploys,
  ) {}

  create(caller: Caller, body: NewGitServiceDto, customerId: Uuid | null): Promise<AcceptedServiceDto> {
    const { name, description = null, resource_limits: limits } = body;
    const request = {
      ...{ name, description, customerId },
      git: sourceOf(body),
      variables: ComposeSourceDto.values(body),
      resourceLimits: resourceLimits(ComposeSourceDto.givenLimits(limits ?? {})),
    };
    return this.intake.fromGit(request, actorOf(caller));
  }

  async deploy(caller: Caller, scope: OrganisationScope, id: Uuid, body: DeployRefDto): Promise<AcceptedActionDto> {
    const request = { ref: body.ref ?? null, trigger: 'git', actor: actorOf(caller) } as const;
    const { serviceId, deploymentId, status } = await this.deploys.deploy(scope, id, request);
    const message = deploymentId === null ? 'There is nothing to do.' : 'The commit is fetched, built and deployed.';
    return { serviceId, deploymentId, status, message };
  }
}

function sourceOf(body: NewGitServiceDto): GitSource {
  const dockerfile = folderPath(body.dockerfile_path ?? '');
  return {
    url: body.git_repo_url,
    branch: body.git_branch ?? 'main',
    buildMethod: body.build_method ?? 'auto',
    port: body.port ?? 8080,
    deployKey: body.deploy_key ?? null,
    knownHosts: body.known_hosts ?? null,
    dockerfilePath: dockerfile === '' ? null : dockerfile,
    baseDirectory: folderPath(body.base_directory ?? '') ?? '',
    watchPaths: body.watch_paths ?? [],
    buildArgs: Object.fromEntries(ComposeSourceDto.values({ variables: body.build_args })),
    volumes: (body.volumes ?? []).map(({ name, path }) => ({ name, path })),
  };
}

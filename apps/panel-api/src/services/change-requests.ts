import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Uuid } from '#kernel/crypto/uuid';
import { NotFound } from '#kernel/errors';
import { actorOf, type Caller } from '#libs/panel-auth';
import { ServiceChanges, ServiceQueries, ServiceSources, type OrganisationScope } from '#libs/services';
import { listPage } from '../http/list-page.js';
import { AcceptedServiceDto, ServiceDto } from './service.dto.js';
import { expectedVersion, UpdateServiceDto } from './update-service.dto.js';
import { ServiceSourceDto, ServiceVersionDto, ServiceVersionPageDto } from './version.dto.js';

export interface UpdateRequest {
  readonly body: UpdateServiceDto;
  /** The raw header. */
  readonly ifMatch: string | undefined;
  readonly portsAllowed: boolean;
}

/** What the routes for changes and versions of both areas do. */
@Injectable()
export class ChangeRequests {
  constructor(
    private readonly changes: ServiceChanges,
    private readonly queries: ServiceQueries,
    private readonly sources: ServiceSources,
  ) {}

  async update(
    caller: Caller,
    scope: OrganisationScope,
    id: Uuid,
    { body, ifMatch, portsAllowed }: UpdateRequest,
    reply: FastifyReply,
  ): Promise<ServiceDto | AcceptedServiceDto> {
    const terms = { portsAllowed, expectedVersion: expectedVersion(ifMatch) };
    const accepted = await this.changes.change(scope, id, UpdateServiceDto.change(body), terms, actorOf(caller));
    if (accepted?.deploymentId) {
      return { serviceId: id, deploymentId: accepted.deploymentId, status: accepted.status };
    }
    reply.code(200);
    const view = await this.queries.get(scope, id);
    if (!view) throw new NotFound();
    return ServiceDto.of(view);
  }

  async versions(
    scope: OrganisationScope,
    id: Uuid,
    query: Readonly<Record<string, unknown>>,
  ): Promise<ServiceVersionPageDto> {
    const { page, pageSize } = listPage(query['page'], query['pageSize']);
    const found = await this.queries.versions(scope, id, { offset: (page - 1) * pageSize, limit: pageSize });
    if (!found) throw new NotFound();
    return { data: found.map((version) => ServiceVersionDto.of(version)), pagination: { page, pageSize } };
  }

  async source(caller: Caller, scope: OrganisationScope, id: Uuid, reply: FastifyReply): Promise<ServiceSourceDto> {
    const source = await this.sources.show(scope, id, actorOf(caller));
    reply.header('etag', `"${source.version}"`).header('cache-control', 'no-store');
    return ServiceSourceDto.of(source);
  }
}

import { Injectable } from '@nestjs/common';
import { collectViolations } from '#kernel/collect-violations';
import { Invalid, NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { actorOf, Directory, OrganisationMembers, type Caller } from '#libs/panel-auth';
import { OrganisationQuotas } from '#libs/services';
import { listPage, PaginationDto } from '../http/list-page.js';
import { idsOf } from '../monitoring/metrics-query.js';
import { CallerScope } from '../services/caller-scope.js';
import { searchOf } from '../services/service-requests.js';
import type { CreateOrganisationDto } from './organisation.dto.js';
import { OrganisationDetailDto, OrganisationDto, type OrganisationPageDto } from './organisation.dto.js';
import { QuotaLimitsDto, UsageDto } from './quota.dto.js';

/** What the organisation routes do, limited to organisations that the caller may see. */
@Injectable()
export class OrganisationRequests {
  constructor(
    private readonly members: OrganisationMembers,
    private readonly directory: Directory,
    private readonly quotas: OrganisationQuotas,
    private readonly scope: CallerScope,
  ) {}

  async list(caller: Caller, query: Readonly<Record<string, unknown>>): Promise<OrganisationPageDto> {
    const page = listPage(query['page'], query['pageSize']);
    const filter = collectViolations({ ids: () => idsOf(query['ids']), search: () => searchOf(query['search']) });
    const within = (await this.scope.of(caller)).organisationIds;
    const { organisations, total } = await this.members.page({ ...filter, within }, page.page, page.pageSize);
    return { data: organisations.map((one) => OrganisationDto.of(one)), pagination: PaginationDto.of(page, total) };
  }

  async get(caller: Caller, id: Uuid): Promise<OrganisationDetailDto> {
    await this.assertInScope(caller, id);
    const organisation = OrganisationDto.of(await this.members.organisation(id));
    const own = QuotaLimitsDto.of(await this.quotas.own(id));
    return { ...organisation, own, quota: UsageDto.of(await this.quotas.standing(id)) };
  }

  async create(caller: Caller, { name, parentId: parent }: CreateOrganisationDto): Promise<OrganisationDto> {
    const parentId = parent ?? null;
    // A bound key may create organisations only below its own.
    if (parentId === null && caller.binding !== null) throw Invalid.field('parentId', 'is required for a bound key');
    if (parentId !== null) await this.assertInScope(caller, parentId);
    const { id } = await this.directory.createOrganisation(name, parentId, actorOf(caller));
    return OrganisationDto.of(await this.members.organisation(id));
  }

  /** A bound key may see its own organisation and those below it. @throws NotFound for any other */
  async assertInScope(caller: Caller, id: Uuid): Promise<void> {
    if (!(await this.scope.of(caller)).includes(id)) throw new NotFound();
  }
}

import { Injectable } from '@nestjs/common';
import { Invalid, NotFound } from '#kernel/errors';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import { MomentRestores, PointInTime, Restores } from '#libs/backups';
import { actorOf, type Caller } from '#libs/panel-auth';
import type { OrganisationScope } from '#libs/services';
import { listPage } from '../http/list-page.js';
import {
  type CloneServiceDto,
  RecoveryWindowDto,
  type RestoreBackupDto,
  RestoreDto,
  RestorePageDto,
} from './restore.dto.js';

type Query = Readonly<Record<string, unknown>>;

/** What the restore routes of both areas do. */
@Injectable()
export class RestoreRequests {
  constructor(
    private readonly restores: Restores,
    private readonly moments: MomentRestores,
    private readonly history: PointInTime,
  ) {}

  async window(scope: OrganisationScope, serviceId: Uuid): Promise<RecoveryWindowDto> {
    return RecoveryWindowDto.of(await this.history.standing(scope, serviceId));
  }

  async list(scope: OrganisationScope, serviceId: Uuid, query: Query): Promise<RestorePageDto> {
    const page = listPage(query.page, query.pageSize);
    const slice = { offset: (page.page - 1) * page.pageSize, limit: page.pageSize };
    return RestorePageDto.ofPage(page, await this.restores.list(scope, serviceId, slice));
  }

  async get(scope: OrganisationScope, id: Uuid): Promise<RestoreDto> {
    return RestoreDto.of(await this.restores.get(scope, id));
  }

  async restore(
    caller: Caller,
    scope: OrganisationScope,
    serviceId: Uuid,
    { backupId: text, at, into = 'new', name = null, confirm = null }: RestoreBackupDto,
  ): Promise<RestoreDto> {
    const actor = actorOf(caller);
    if (at !== undefined) {
      if (text !== undefined) throw Invalid.field('at', 'cannot be given together with backupId');
      if (into === 'same') throw Invalid.field('into', 'must be new for a restore to a moment');
      return RestoreDto.of(await this.moments.intoNew(scope, { serviceId, at: new Date(at), name }, actor));
    }
    const backupId = text === undefined ? null : parseUuid(text);
    if (!backupId) throw new NotFound();
    const asked = { serviceId, backupId };
    const restore =
      into === 'same'
        ? await this.restores.intoSame(scope, { ...asked, confirm }, actor)
        : await this.restores.intoNew(scope, { ...asked, name }, actor);
    return RestoreDto.of(restore);
  }

  async clone(
    caller: Caller,
    scope: OrganisationScope,
    serviceId: Uuid,
    { name }: CloneServiceDto,
  ): Promise<RestoreDto> {
    return RestoreDto.of(await this.restores.clone(scope, serviceId, name, actorOf(caller)));
  }
}

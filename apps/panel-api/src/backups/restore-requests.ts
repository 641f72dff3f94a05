import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import { Restores } from '#libs/backups';
import { actorOf, type Caller } from '#libs/panel-auth';
import type { OrganisationScope } from '#libs/services';
import { type CloneServiceDto, type RestoreBackupDto, RestoreDto } from './restore.dto.js';

/** What both areas ask about restores. */
@Injectable()
export class RestoreRequests {
  constructor(private readonly restores: Restores) {}

  async get(scope: OrganisationScope, id: Uuid): Promise<RestoreDto> {
    return RestoreDto.of(await this.restores.get(scope, id));
  }

  async restore(
    caller: Caller,
    scope: OrganisationScope,
    serviceId: Uuid,
    { backupId: text, into = 'new', name = null, confirm = null }: RestoreBackupDto,
  ): Promise<RestoreDto> {
    const backupId = parseUuid(text);
    if (!backupId) throw new NotFound();
    const actor = actorOf(caller);
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

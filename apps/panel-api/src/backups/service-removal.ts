import { Injectable } from '@nestjs/common';
import { Invalid } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { Backups } from '#libs/backups';
import { actorOf, PermissionMissing, type Caller, type PermissionSet } from '#libs/panel-auth';
import type { OrganisationScope } from '#libs/services';
import type { RemovingServiceDto } from '../services/service.dto.js';
import { ServiceRequests } from '../services/service-requests.js';

/** Removes a service and, on request, its backups. */
@Injectable()
export class ServiceRemoval {
  constructor(
    private readonly services: ServiceRequests,
    private readonly backups: Backups,
  ) {}

  /** @param what `keep` (the default) or `delete` @throws Invalid for another word; PermissionMissing */
  async remove(
    caller: Caller,
    scope: OrganisationScope,
    id: Uuid,
    what: unknown,
    held: PermissionSet,
  ): Promise<RemovingServiceDto> {
    const takesBackups = what === 'delete';
    if (!takesBackups && what !== undefined && what !== '' && what !== 'keep')
      throw Invalid.field('backups', 'must be one of keep, delete');
    if (takesBackups && !held.has('backups:delete')) throw new PermissionMissing();
    const answer = await this.services.remove(caller, scope, id);
    if (takesBackups) await this.backups.removeAllOf(scope, id, actorOf(caller));
    return answer;
  }
}

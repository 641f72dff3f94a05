import { Injectable } from '@nestjs/common';
import { PermissionMissing, type Caller, type PermissionSet } from '#libs/panel-auth';
import { NotFound } from '#kernel/errors';
import type { OrganisationScope } from '#libs/services';
import { CallerScope } from '../../services/caller-scope.js';
import { CHANNEL_PERMISSION } from '../protocol/channel.js';

/** What a caller may currently watch. */
export interface CallerView {
  readonly permissions: PermissionSet;
  readonly scope: OrganisationScope;
}

/** Admins may watch everything that their credential can see, customers the services of their own organisation. */
@Injectable()
export class CallerViews {
  constructor(private readonly scopes: CallerScope) {}

  async of(caller: Caller): Promise<CallerView> {
    if (caller.role === 'admin') return { permissions: caller.permissions, scope: await this.scopes.of(caller) };
    return { permissions: caller.permissionsAtHome, scope: await this.scopes.ofHome(caller) };
  }
}

/**
 * Refuses callers that may watch nothing at all.
 * @throws NotFound for a customer without an organisation; PermissionMissing without any of the permissions
 */
export function assertCanWatch(caller: Caller): void {
  if (caller.role !== 'admin' && caller.home === null) throw new NotFound();
  const held = caller.role === 'admin' ? caller.permissions : caller.permissionsAtHome;
  if (!Object.values(CHANNEL_PERMISSION).some((permission) => held.has(permission))) throw new PermissionMissing();
}

import { Injectable } from '@nestjs/common';
import { PermissionMissing, type Caller } from '#libs/panel-auth';
import { CallerScope } from '../../services/caller-scope.js';
import { McpAccess, type McpArea } from './mcp-access.js';

/** Decides what a key may do over MCP. */
@Injectable()
export class McpAccesses {
  constructor(private readonly scopes: CallerScope) {}

  /**
   * A bound key sees its organisation and those below it in either area. In the tenant's area any other key sees its
   * user's organisation.
   * @throws PermissionMissing without `mcp:use`; NotFound in the tenant's area for a user without an organisation
   */
  async of(caller: Caller, area: McpArea): Promise<McpAccess> {
    const isHome = area === 'tenant' && caller.binding === null;
    const permissions = isHome ? caller.permissionsAtHome : caller.permissions;
    const organisationId = isHome ? this.scopes.home(caller) : caller.binding;
    if (!permissions.has('mcp:use')) throw new PermissionMissing();
    const scope = await (isHome ? this.scopes.ofHome(caller) : this.scopes.of(caller));
    return new McpAccess(area, caller, permissions, scope, organisationId);
  }
}

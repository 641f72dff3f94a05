import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller, Permission, PermissionSet } from '#libs/panel-auth';
import type { OrganisationScope } from '#libs/services';

/** The whole panel, for administrators, or the services of one organisation. */
export type McpArea = 'admin' | 'tenant';

/** What the caller of one MCP request may do. Decided once per request and passed to every tool. */
export class McpAccess {
  constructor(
    readonly area: McpArea,
    readonly caller: Caller,
    readonly permissions: PermissionSet,
    readonly scope: OrganisationScope,
    /** The organisation that new services belong to; null when an administrator's key is bound to none. */
    readonly organisationId: Uuid | null,
  ) {}

  /** Only administrators may publish host ports. */
  get portsAllowed(): boolean {
    return this.area === 'admin';
  }

  hasAnyOf(permissions: readonly Permission[]): boolean {
    return permissions.some((permission) => this.permissions.has(permission));
  }

  /** The caller's API key. MCP accepts no other credential. */
  get keyId(): Uuid {
    const { credential } = this.caller;
    if (credential.kind !== 'api-key') throw new Error('MCP requires an API key');
    return credential.key.id;
  }
}

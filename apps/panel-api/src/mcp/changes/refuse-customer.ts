import { Invalid } from '#kernel/errors';
import type { ChangeRequest } from '#libs/automation';
import type { McpAccess } from '../access/mcp-access.js';

/** In the tenant's area a service belongs to the tenant, as in the portal. @throws Invalid if `customerId` is given */
export function refuseCustomer({ area }: McpAccess, request: ChangeRequest): void {
  if (area === 'tenant' && Object.hasOwn(request, 'customerId')) {
    throw Invalid.field('customerId', 'is not allowed: services belong to your own organisation');
  }
}

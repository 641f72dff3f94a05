import { SetMetadata } from '@nestjs/common';
import { ROUTE_POLICY } from '#platform/http/routing/route-policy';
import type { PanelRoutePolicy } from '../http/panel-route.decorator.js';

/** A route of the Model Context Protocol: for keys with `mcp:use`. Browser sessions are refused. */
export function McpRoute(reach: 'panel' | 'binding'): MethodDecorator {
  const policy: PanelRoutePolicy = { public: false, permission: 'mcp:use', reach, readsBody: true, keysOnly: true };
  return SetMetadata(ROUTE_POLICY, policy);
}

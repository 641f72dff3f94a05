import type { ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { PUBLIC_POLICY, ROUTE_POLICY } from '#platform/http/routing/route-policy';
import type { PanelRoutePolicy } from './panel-route.decorator.js';

export type RoutePolicy = PanelRoutePolicy | typeof PUBLIC_POLICY;

/** @throws Error for a route without a policy, so that a forgotten one fails closed */
export function policyOf(reflector: Reflector, context: ExecutionContext): RoutePolicy {
  const policy = reflector.get<RoutePolicy | undefined>(ROUTE_POLICY, context.getHandler());
  if (!policy) throw new Error(`${context.getClass().name}.${context.getHandler().name} declares no policy`);
  return policy;
}

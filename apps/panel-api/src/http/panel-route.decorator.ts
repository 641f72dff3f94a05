import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth } from '@nestjs/swagger';
import type { Permission } from '#libs/panel-auth';
import { ROUTE_POLICY } from '#platform/http/routing/route-policy';
import { ApiErrors } from './api-errors.decorator.js';

/**
 * The records that a route works on. It decides what a key that is bound to an organisation may see:
 * - `self`: the caller itself. Any credential is accepted.
 * - `binding`: records of the organisation that the key is bound to, or of the user if it is not bound.
 * - `home`: records of the user's own organisation, whatever the key is bound to.
 * - `panel`: everything on this panel, for admins only. An admin's bound key sees only its organisations.
 * - `installation`: records that belong to no organisation. A bound key gets 404.
 */
export type RouteReach = 'self' | 'binding' | 'home' | 'panel' | 'installation';

export interface PanelRoutePolicy {
  readonly public: false;
  /** Null only for routes with reach `self`. */
  readonly permission: Permission | null;
  readonly reach: RouteReach;
  /** The route has a body, which the validation pipe checks. */
  readonly readsBody: boolean;
  /** Only API keys are accepted, not browser sessions. */
  readonly keysOnly?: boolean;
}

export type PanelRouteOptions = { errors?: number[]; body?: boolean } & (
  { reach: 'self'; permission?: never } | { reach: Exclude<RouteReach, 'self'>; permission: Permission }
);

/**
 * Declares what every route of the panel must declare: its permission, its reach, and its error responses besides
 * those of every route (401, 429, 500).
 */
export function PanelRoute(options: PanelRouteOptions): MethodDecorator {
  const { reach, permission = null, errors = [], body = false } = options;
  const policy: PanelRoutePolicy = { public: false, permission, reach, readsBody: body };
  const bound = reach === 'panel' || reach === 'installation' || reach === 'home' ? [404] : [];
  const reading = body ? [400, 413, 415, 422] : [];
  return applyDecorators(
    SetMetadata(ROUTE_POLICY, policy),
    ApiBearerAuth('key'),
    ApiCookieAuth('session'),
    ApiErrors(401, 403, 429, 500, ...bound, ...reading, ...errors),
  );
}

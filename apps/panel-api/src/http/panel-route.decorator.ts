import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth } from '@nestjs/swagger';
import type { Permission } from '#libs/panel-auth';
import { ROUTE_POLICY } from '#platform/http/routing/route-policy';
import { ApiErrors } from './api-errors.decorator.js';

/**
 * What a route is about, which decides how a key that is bound to an organisation meets it:
 * - `self`: the caller itself. Any credential will do.
 * - `binding`: records of the organisation the credential is confined to; of the user, when it is not confined.
 * - `home`: records of the user's own organisation, whatever the key is bound to.
 * - `panel`: everything on this panel, for admins alone. An admin's bound key sees its organisations only.
 * - `installation`: what cannot be told apart by organisation. A bound key finds nothing there.
 */
export type RouteReach = 'self' | 'binding' | 'home' | 'panel' | 'installation';

export interface PanelRoutePolicy {
  readonly public: false;
  /** Null only where the route is about the caller itself. */
  readonly permission: Permission | null;
  readonly reach: RouteReach;
  /** The body reaches the validation pipe. */
  readonly readsBody: boolean;
  /** Sessions of browsers are refused. */
  readonly keysOnly?: boolean;
}

export type PanelRouteOptions = { errors?: number[]; body?: boolean } & (
  { reach: 'self'; permission?: never } | { reach: Exclude<RouteReach, 'self'>; permission: Permission }
);

/**
 * Declares everything that a route of the panel must declare: the permission it enforces, what it is about, and the
 * error answers it can give besides those that every route can give (401, 429, 500).
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

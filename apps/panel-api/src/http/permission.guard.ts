import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { NotFound } from '#kernel/errors';
import { PermissionMissing, type Caller } from '#libs/panel-auth';
import { refuseDefectiveBody } from '#platform/http/fastify/json-body';
import { callerOf } from './caller.decorator.js';
import { PanelCookies } from './cookies.js';
import type { PanelRoutePolicy } from './panel-route.decorator.js';
import { policyOf } from './policy-of.js';
import { isChanging, OriginRejected, originOf } from './same-origin.js';

/** The origin of PANEL_URL, which serves the panel's own pages. */
export const PANEL_ORIGIN = Symbol('origin of the panel');

/** The last guard: checks permission and origin. Malformed bodies are reported only after that. */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly cookies: PanelCookies,
    @Inject(PANEL_ORIGIN) private readonly panelOrigin: string,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const policy = policyOf(this.reflector, context);
    const caller = callerOf(request);
    if (isChanging(request)) this.assertOrigin(request, caller);
    if (!policy.public) assertPermitted(policy, caller);
    refuseDefectiveBody(request);
    return true;
  }

  /**
   * With a session cookie, the browser must confirm that the request comes from our page. Without one, it must not deny
   * it.
   */
  private assertOrigin(request: FastifyRequest, caller: Caller | null): void {
    if (caller?.credential.kind === 'api-key') return;
    const origin = originOf(request, this.panelOrigin);
    if (origin === 'other' || (origin === 'unknown' && this.cookies.hasSession(request))) throw new OriginRejected();
  }
}

/**
 * @throws PermissionMissing when the credential lacks the permission or the route is for admins
 * @throws NotFound when the route lies outside the organisation of a bound key
 */
export function assertPermitted({ permission, reach }: PanelRoutePolicy, caller: Caller | null): void {
  if (!caller) throw new PermissionMissing();
  if (reach === 'self') return;
  const isBound = caller.binding !== null;
  if (isBound && (reach === 'installation' || (reach === 'panel' && caller.role !== 'admin'))) throw new NotFound();
  if (reach === 'panel' && caller.role !== 'admin') throw new PermissionMissing();
  const held = reach === 'home' ? caller.permissionsAtHome : caller.permissions;
  if (permission === null || !held.has(permission)) throw new PermissionMissing();
}

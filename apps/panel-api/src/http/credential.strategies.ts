import { Injectable } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy as PassportBase } from 'passport';
import { Strategy as BearerBase } from 'passport-http-bearer';
import { Authentication, InvalidCredential, type Caller } from '#libs/panel-auth';
import { PanelCookies } from './cookies.js';

/** `Authorization: Bearer pk_…` and nothing else. */
@Injectable()
export class PanelKeyStrategy extends PassportStrategy(BearerBase, 'panel-key') {
  constructor(private readonly authentication: Authentication) {
    super();
  }

  /** The library would also accept a token from the query or the body, so it is passed the header only. */
  override authenticate(request: { headers: { authorization?: string } }): void {
    const headerOnly = { headers: { authorization: request.headers.authorization } };
    super.authenticate(headerOnly as Parameters<BearerBase<never>['authenticate']>[0]);
  }

  validate(token: string): Promise<Caller> {
    return this.authentication.byKey(token);
  }
}

class CookieBase extends PassportBase {
  constructor(private readonly verify: (request: FastifyRequest, done: Verified) => void) {
    super();
  }

  override authenticate(request: unknown): void {
    this.verify(request as FastifyRequest, (error, caller) => {
      if (error) this.error(error);
      else if (caller) this.success(caller);
      else this.fail(401);
    });
  }
}

type Verified = (error: unknown, caller?: Caller | false) => void;

/** The session cookie of a signed-in browser, with its host-only companion if there is one. */
@Injectable()
export class PanelSessionStrategy extends PassportStrategy(CookieBase, 'panel-session') {
  constructor(
    private readonly authentication: Authentication,
    private readonly cookies: PanelCookies,
  ) {
    super();
  }

  async validate(request: FastifyRequest): Promise<Caller | false> {
    const presented = this.cookies.session(request);
    return presented ? this.authentication.bySession(presented.cookie, presented.binding) : false;
  }
}

/** Passport reports failures as arguments. Here they all become InvalidCredential. */
function callerOrThrow<T>(error: unknown, caller: T | false): T {
  if (error instanceof Error) throw error;
  if (!caller) throw new InvalidCredential();
  return caller;
}

@Injectable()
export class PanelKeyGuard extends AuthGuard('panel-key') {
  override handleRequest<T>(error: unknown, caller: T | false): T {
    return callerOrThrow(error, caller);
  }
}

@Injectable()
export class PanelSessionGuard extends AuthGuard('panel-session') {
  override handleRequest<T>(error: unknown, caller: T | false): T {
    return callerOrThrow(error, caller);
  }
}

import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiHeader } from '@nestjs/swagger';
import type { Scope } from '#libs/tokens';
import { ROUTE_POLICY } from '#platform/http/routing/route-policy';
import type { PartnerErrorReason } from '../errors/partner-error-reasons.js';
import { ApiErrors } from './api-errors.decorator.js';
import { PartnerIdempotency } from './partner-idempotency.interceptor.js';

/** Whose records a route touches: the caller's own account only, or its whole subtree. */
export type Tenancy = 'own' | 'subtree';

export interface PartnerRoutePolicy {
  readonly public: false;
  readonly scope: Scope;
  readonly tenancy: Tenancy;
}

/** What the routes that demand a token carry in Fastify's own configuration. */
export interface GuardedRouteConfig {
  readonly demandsToken?: true;
}

/**
 * Declares everything that a route of the partner API must declare: the scope it demands, whose records it touches,
 * and the error answers it can give besides those that every route can give (401, 429, 500), with the `reasons` that
 * its 409 and 422 can name.
 */
export function PartnerRoute(options: {
  scope: Scope;
  tenancy: Tenancy;
  errors?: number[];
  reasons?: readonly PartnerErrorReason[];
  body?: boolean;
}): MethodDecorator {
  const { scope, tenancy, errors = [], reasons = [], body = false } = options;
  const policy: PartnerRoutePolicy = { public: false, scope, tenancy };
  const writing = scope === 'write' ? [403] : [];
  const reading = body ? [400, 413, 415, 422] : [];
  return applyDecorators(
    SetMetadata(ROUTE_POLICY, policy),
    RouteConfig({ demandsToken: true } satisfies GuardedRouteConfig),
    ApiBearerAuth('token'),
    ApiErrors([401, 429, 500, ...writing, ...reading, ...errors], reasons),
  );
}

/** Takes and documents the `Idempotency-Key` header, which every POST accepts. */
export function AcceptsIdempotencyKey(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(PartnerIdempotency),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes retries safe: for 24 hours, the same key from the same token gets the first response again, with `Idempotent-Replayed: true`.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      example: '4f7d1c2e-order-1001',
    }),
  );
}

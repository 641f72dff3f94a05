import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiHeader } from '@nestjs/swagger';
import type { Scope } from '#libs/tokens';
import { ROUTE_POLICY } from '#platform/http/routing/route-policy';
import type { PartnerErrorReason } from '../errors/partner-error-reasons.js';
import { ApiErrors } from './api-errors.decorator.js';
import { PartnerIdempotency } from './partner-idempotency.interceptor.js';

/** Whose records a route touches: only the caller's own account, or its whole subtree. */
export type Tenancy = 'own' | 'subtree';

export interface PartnerRoutePolicy {
  readonly public: false;
  readonly scope: Scope;
  readonly tenancy: Tenancy;
}

/** Stored in Fastify's route configuration for routes that require a token. */
export interface GuardedRouteConfig {
  readonly demandsToken?: true;
}

/**
 * Declares everything that a route of the partner API must declare: the required scope, whose records it touches, and
 * its error responses besides those of every route (401, 429, 500), with the `reasons` of its 409 and 422.
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

/** Accepts and documents the `Idempotency-Key` header, which every POST supports. */
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

import { SetMetadata } from '@nestjs/common';

/** The metadata in which a route declares who may call it. Guards read it; `RoutePolicyGate` requires it. */
export const ROUTE_POLICY = 'tenantry:route-policy';

/** Anyone may call it, without credentials. */
export const PUBLIC_POLICY = { public: true } as const;

/** Declares that a route needs no credentials. */
export const PublicRoute = () => SetMetadata(ROUTE_POLICY, PUBLIC_POLICY);

import { SetMetadata } from '@nestjs/common';

/** The metadata by which a route says who may call it; a guard reads it and a route without any stops the start. */
export const ROUTE_POLICY = 'tenantry:route-policy';

/** Anyone may call it, without credentials. */
export const PUBLIC_POLICY = { public: true } as const;

/** Declares that a route needs no credentials. */
export const PublicRoute = () => SetMetadata(ROUTE_POLICY, PUBLIC_POLICY);

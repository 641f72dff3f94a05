import type { Uuid } from '#kernel/crypto/uuid';
import type { ServiceDomain } from '../../../domain/domains/service-domain.js';
import type { OrganisationScope } from '../../../domain/organisation-scope.js';
import type { ServiceState } from '../../../domain/service-state.js';

/** An active domain with the data that determine its route. */
export interface RoutedDomain extends Pick<ServiceDomain, 'id' | 'host' | 'tls' | 'targetService' | 'targetPort'> {
  readonly service: Pick<ServiceState, 'id' | 'desiredState' | 'suspended' | 'currentDeploymentId'>;
}

/** The domain that has a host name, with its organisation. */
export interface HostHolder {
  readonly domain: ServiceDomain;
  readonly customerId: Uuid | null;
}

export abstract class DomainRepository {
  /** Oldest first. */
  abstract list(scope: OrganisationScope, serviceId: Uuid): Promise<readonly ServiceDomain[]>;
  abstract get(scope: OrganisationScope, id: Uuid): Promise<ServiceDomain | null>;
  /** The domains with these hosts, in all organisations. */
  abstract holders(hosts: readonly string[]): Promise<readonly HostHolder[]>;
  /** @throws DomainTaken */
  abstract insert(domain: ServiceDomain, nextCheckAt: Date | null): Promise<void>;
  /** Stores target, primary flag, TLS mode and certificate. Does nothing if the domain was deleted. */
  abstract update(domain: ServiceDomain): Promise<void>;
  /** Stores only the verification, because the target may be changed concurrently. */
  abstract saveVerification(domain: ServiceDomain, nextCheckAt: Date | null): Promise<void>;
  abstract delete(id: Uuid): Promise<void>;
  /** Clears the primary flag of all domains of the service except this one. */
  abstract clearPrimary(serviceId: Uuid, exceptId: Uuid): Promise<void>;
  /** Takes the domains whose verification is due. No other caller gets them for a minute. */
  abstract takeDue(now: Date, limit: number): Promise<readonly ServiceDomain[]>;
  /** All domains that need a route. Services that are being removed are omitted. */
  abstract routed(): Promise<readonly RoutedDomain[]>;
  abstract hasAny(serviceId: Uuid): Promise<boolean>;
  /** Active domains whose certificate is unknown or expires before this time. */
  abstract withoutCertificate(endsBefore: Date, limit: number): Promise<readonly ServiceDomain[]>;
  abstract noteCertificate(id: Uuid, expiresAt: Date): Promise<void>;
  /** A digest that changes whenever the result of `routed` changes. */
  abstract routedDigest(): Promise<string>;
}

import type { Uuid } from '#kernel/crypto/uuid';
import type { ServiceDomain } from '../../../domain/domains/service-domain.js';
import type { OrganisationScope } from '../../../domain/organisation-scope.js';
import type { ServiceState } from '../../../domain/service-state.js';

/** An active domain with what decides where it leads. */
export interface RoutedDomain extends Pick<ServiceDomain, 'id' | 'host' | 'tls' | 'targetService' | 'targetPort'> {
  readonly service: Pick<ServiceState, 'id' | 'desiredState' | 'suspended' | 'currentDeploymentId'>;
}

/** Who has a host name. */
export interface HostHolder {
  readonly domain: ServiceDomain;
  readonly customerId: Uuid | null;
}

export abstract class DomainRepository {
  /** Oldest first. */
  abstract list(scope: OrganisationScope, serviceId: Uuid): Promise<readonly ServiceDomain[]>;
  abstract get(scope: OrganisationScope, id: Uuid): Promise<ServiceDomain | null>;
  /** Those of the hosts that somebody has, in every organisation. */
  abstract holders(hosts: readonly string[]): Promise<readonly HostHolder[]>;
  /** @throws DomainTaken */
  abstract insert(domain: ServiceDomain, nextCheckAt: Date | null): Promise<void>;
  /** Where it leads and how: target, primary mark, TLS, certificate. A domain that is gone stays so. */
  abstract update(domain: ServiceDomain): Promise<void>;
  /** How far its verification has come, and nothing else: its target may be changed at the same time. */
  abstract saveVerification(domain: ServiceDomain, nextCheckAt: Date | null): Promise<void>;
  abstract delete(id: Uuid): Promise<void>;
  /** Takes the mark from all domains of the service but this one. */
  abstract clearPrimary(serviceId: Uuid, exceptId: Uuid): Promise<void>;
  /** What has to be verified now. Nobody else is given it for a minute. */
  abstract takeDue(now: Date, limit: number): Promise<readonly ServiceDomain[]>;
  /** All that is to be routed; services that are being removed are left out. */
  abstract routed(): Promise<readonly RoutedDomain[]>;
  abstract hasAny(serviceId: Uuid): Promise<boolean>;
  /** Active domains whose certificate is unknown, or ends before this moment. */
  abstract withoutCertificate(endsBefore: Date, limit: number): Promise<readonly ServiceDomain[]>;
  abstract noteCertificate(id: Uuid, expiresAt: Date): Promise<void>;
  /** Differs from what it was whenever `routed` would answer differently. */
  abstract routedDigest(): Promise<string>;
}

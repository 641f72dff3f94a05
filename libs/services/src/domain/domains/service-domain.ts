import type { Uuid } from '#kernel/crypto/uuid';
import { liesUnder, type HostName } from './host-name.js';

export const DOMAIN_STATUSES = ['pending', 'active', 'failed'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** `automatic`: a certificate of the installation's authority. `internal`: one that the ingress issues itself. */
export const TLS_MODES = ['automatic', 'internal', 'off'] as const;
export type TlsMode = (typeof TLS_MODES)[number];

export const VERIFICATION_METHODS = ['dns_txt', 'base_domain'] as const;
export type VerificationMethod = (typeof VERIFICATION_METHODS)[number];

/** How the ownership of a host name is proven, and the state of that proof. */
export interface Verification {
  readonly method: VerificationMethod;
  /** The DNS record that must exist, and its value. Both are null if no record is needed. */
  readonly record: string | null;
  readonly value: string | null;
  readonly checkedAt: Date | null;
  /** Why the last check failed. Null if it succeeded or has not run yet. */
  readonly errorMessage: string | null;
}

/** A host name that points to one container of a service. */
export interface ServiceDomain {
  readonly id: Uuid;
  readonly serviceId: Uuid;
  readonly host: HostName;
  /** The container's name in the compose file. */
  readonly targetService: string;
  readonly targetPort: number;
  /** The `url` of the service is made from its primary domain. */
  readonly isPrimary: boolean;
  readonly tls: TlsMode;
  readonly status: DomainStatus;
  readonly verification: Verification;
  readonly verifiedAt: Date | null;
  readonly certificateExpiresAt: Date | null;
  readonly createdAt: Date;
}

export interface DomainTarget {
  readonly targetService: string;
  readonly targetPort: number;
}

export const MAX_DOMAINS_PER_SERVICE = 50;

const CHALLENGE_LABEL = '_panel-challenge';
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** After this time an unproven claim fails, and others can claim the host. */
export const CLAIM_LIFETIME_MS = 7 * DAY_MS;

/** @param token secret that the owner must publish in DNS; used only for hosts outside the base domain */
export function verificationFor(host: HostName, baseDomain: HostName | null, token: string): Verification {
  const unchecked = { checkedAt: null, errorMessage: null };
  if (baseDomain !== null && liesUnder(host, baseDomain)) {
    return { method: 'base_domain', record: null, value: null, ...unchecked };
  }
  return {
    method: 'dns_txt',
    record: `${CHALLENGE_LABEL}.${host}`,
    value: `panel-verification=${token}`,
    ...unchecked,
  };
}

export function verified(domain: ServiceDomain, now: Date): ServiceDomain {
  const verification = { ...domain.verification, checkedAt: now, errorMessage: null };
  return { ...domain, status: 'active', verifiedAt: now, verification };
}

/** A check failed. The claim stays pending until `CLAIM_LIFETIME_MS` is over. */
export function unverified(domain: ServiceDomain, problem: string, now: Date): ServiceDomain {
  const isOver = now.getTime() - domain.createdAt.getTime() >= CLAIM_LIFETIME_MS;
  const errorMessage = isOver ? `Not verified within 7 days. ${problem}` : problem;
  return {
    ...domain,
    status: isOver ? 'failed' : 'pending',
    verification: { ...domain.verification, checkedAt: now, errorMessage },
  };
}

/** Often at first, when somebody is waiting, and seldom later. Null if the domain is no longer pending. */
export function nextCheckAt({ status, createdAt }: ServiceDomain, now: Date): Date | null {
  if (status !== 'pending') return null;
  const ageMs = now.getTime() - createdAt.getTime();
  const pauseMs = ageMs < 10 * MINUTE_MS ? 10 * SECOND_MS : ageMs < DAY_MS ? 5 * MINUTE_MS : HOUR_MS;
  return new Date(now.getTime() + pauseMs);
}

/** @param answers the TXT values of the record */
export function provesClaim({ value }: Verification, answers: readonly string[]): boolean {
  return value !== null && answers.some((answer) => answer.trim() === value);
}

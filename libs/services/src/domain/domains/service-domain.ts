import type { Uuid } from '#kernel/crypto/uuid';
import { liesUnder, type HostName } from './host-name.js';

export const DOMAIN_STATUSES = ['pending', 'active', 'failed'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** `automatic`: a certificate from the authority of the installation; `internal`: from the ingress itself. */
export const TLS_MODES = ['automatic', 'internal', 'off'] as const;
export type TlsMode = (typeof TLS_MODES)[number];

export const VERIFICATION_METHODS = ['dns_txt', 'base_domain'] as const;
export type VerificationMethod = (typeof VERIFICATION_METHODS)[number];

/** How the right to a host name is proven, and how far that has come. */
export interface Verification {
  readonly method: VerificationMethod;
  /** The DNS record that must exist and what it must say; null where none is needed. */
  readonly record: string | null;
  readonly value: string | null;
  readonly checkedAt: Date | null;
  /** Why the last check did not succeed. */
  readonly errorMessage: string | null;
}

/** A name on the web that leads to one container of a service. */
export interface ServiceDomain {
  readonly id: Uuid;
  readonly serviceId: Uuid;
  readonly host: HostName;
  /** The container's name in the compose file. */
  readonly targetService: string;
  readonly targetPort: number;
  /** The one that the `url` of the service comes from. */
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
/** A claim that nobody has proven by then gives way to the next one. */
export const CLAIM_LIFETIME_MS = 7 * DAY_MS;

/** @param token what only the owner of the host can know; used for names outside the base domain */
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

/** The check did not succeed: the claim stays open until its time is over. */
export function unverified(domain: ServiceDomain, problem: string, now: Date): ServiceDomain {
  const isOver = now.getTime() - domain.createdAt.getTime() >= CLAIM_LIFETIME_MS;
  const errorMessage = isOver ? `Not verified within 7 days. ${problem}` : problem;
  return {
    ...domain,
    status: isOver ? 'failed' : 'pending',
    verification: { ...domain.verification, checkedAt: now, errorMessage },
  };
}

/** Often while somebody waits for it, seldom later; null when the claim is over. */
export function nextCheckAt({ status, createdAt }: ServiceDomain, now: Date): Date | null {
  if (status !== 'pending') return null;
  const ageMs = now.getTime() - createdAt.getTime();
  const pauseMs = ageMs < 10 * MINUTE_MS ? 10 * SECOND_MS : ageMs < DAY_MS ? 5 * MINUTE_MS : HOUR_MS;
  return new Date(now.getTime() + pauseMs);
}

/** Whether the answers to the question for the record prove the claim. */
export function provesClaim({ value }: Verification, answers: readonly string[]): boolean {
  return value !== null && answers.some((answer) => answer.trim() === value);
}

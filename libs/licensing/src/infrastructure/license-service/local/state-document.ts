import { Injectable } from '@nestjs/common';
import { CompactSign } from 'jose';
import { SigningKeys } from './signing-keys.js';

export const STATE_CODES = ['VALID', 'SUSPENDED', 'EXPIRED', 'NOT_FOUND'] as const;

/** The license service's verdict on a key. A revoked license is not found. */
export type StateCode = (typeof STATE_CODES)[number];

/** How long a panel may rely on its last document if it cannot reach us. */
const RELIED_ON_MS = 24 * 3_600_000;

/** The state of one key at one moment. Does not say who owns the license. */
export interface LicenseState {
  /** SHA-256 of the key in its canonical form, in hexadecimal digits. */
  readonly keyHash: string;
  readonly code: StateCode;
  readonly edition: string | null;
  readonly expiresAt: Date | null;
  readonly issuedAt: Date;
  /** The state may be relied on until then, exclusive. Never after the expiry of a valid license. */
  readonly validUntil: Date;
}

export function validUntil(code: StateCode, issuedAt: Date, expiresAt: Date | null): Date {
  const latest = issuedAt.getTime() + RELIED_ON_MS;
  return new Date(code === 'VALID' && expiresAt ? Math.min(latest, expiresAt.getTime()) : latest);
}

/** Signs states, so that a panel can trust a stored one: a JWS (RFC 7515) in compact form, EdDSA over Ed25519. */
@Injectable()
export class StateDocuments {
  constructor(private readonly keys: SigningKeys) {}

  /** The members of the payload are in alphabetical order; its times are ISO 8601 in UTC. */
  async sign(state: LicenseState): Promise<string> {
    const { kid, privateKey } = await this.keys.current();
    const { code, edition, expiresAt, issuedAt, keyHash, validUntil } = state;
    const payload = JSON.stringify({ code, edition, expiresAt, issuedAt, keyHash, validUntil });
    return new CompactSign(Buffer.from(payload))
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'license-state+json' })
      .sign(privateKey);
  }
}

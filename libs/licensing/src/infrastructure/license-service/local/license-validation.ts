import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { SecretText } from '#kernel/crypto/secret-text';
import { HotReader } from '#platform/database/batching/hot-reader';
import { LicenseKey } from '../../../domain/license-key.js';
import { SigningKeys, type PublicJwk } from './signing-keys.js';
import { StateDocuments, validUntil, type LicenseState, type StateCode } from './state-document.js';

const BY_KEY = {
  name: 'license-state-by-key',
  text: `select p.edition, l.suspended, l.expires_at as "expiresAt"
           from license_service.licenses l join license_service.policies p on p.id = l.policy_id
          where l.key_hash = $1 and l.revoked_at is null`,
};

interface Row {
  readonly edition: string;
  readonly suspended: boolean;
  readonly expiresAt: Date | null;
}

export interface SignedLicenseState extends LicenseState {
  /** The same state as a signed document, which can be stored and verified offline. */
  readonly document: string;
}

/** Tells a running panel the state of its key. */
@Injectable()
export class LicenseValidation {
  constructor(
    private readonly reader: HotReader,
    private readonly documents: StateDocuments,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * Every text, even one that is not a key, takes the same path with one query and one signature. So neither the
   * response nor its time helps to guess keys.
   */
  async validate(text: string): Promise<SignedLicenseState> {
    const hash = LicenseKey.parse(text)?.hash ?? new SecretText(text).sha256();
    const [row] = await this.reader.rows<Row>(BY_KEY, [hash]);
    const issuedAt = this.clock.now();
    const code = codeOf(row, issuedAt);
    const expiresAt = row?.expiresAt ?? null;
    const state: LicenseState = {
      keyHash: hash.toString('hex'),
      code,
      edition: row?.edition ?? null,
      expiresAt,
      issuedAt,
      validUntil: validUntil(code, issuedAt, expiresAt),
    };
    return { ...state, document: await this.documents.sign(state) };
  }

  /** The public keys that verify the documents. */
  publicKeys(): Promise<PublicJwk[]> {
    return this.keys.published();
  }
}

/** Suspension takes precedence over expiry, because the owner can do something about it. */
function codeOf(row: Row | undefined, now: Date): StateCode {
  if (!row) return 'NOT_FOUND';
  if (row.suspended) return 'SUSPENDED';
  return row.expiresAt && row.expiresAt <= now ? 'EXPIRED' : 'VALID';
}

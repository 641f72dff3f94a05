import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Clock } from '#kernel/time/clock';
import { Unavailable } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { KeyRing, type SealContext } from '#platform/key-ring';
import { SigningKeyRow } from './license-service.rows.js';

const EVERYTHING = { id: true, publicKey: true, sealedPrivateKey: true, createdAt: true, retiredAt: true } as const;
const FOR_UPDATE = { mode: 'pessimistic_write' } as const;
const NEWEST = { createdAt: 'DESC', id: 'DESC' } as const;

/** How long a process uses a cached key before it checks for a newer one. */
const REMEMBERED_MS = 60_000;

export interface SigningKey {
  readonly kid: Uuid;
  readonly privateKey: KeyObject;
}

/** The public key in the form of RFC 8037, for a JWK set. */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly alg: 'EdDSA';
  readonly use: 'sig';
  readonly kid: Uuid;
  readonly x: string;
}

/** The Ed25519 key pairs that sign state documents. The first pair is created on demand, once for all processes. */
@Injectable()
export class SigningKeys {
  private known: { key: Promise<SigningKey>; until: number } | null = null;

  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly ring: KeyRing,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * The newest key that is not retired.
   * @throws Unavailable if SECRETS_KEYS no longer has the key that sealed it
   */
  current(): Promise<SigningKey> {
    const now = performance.now();
    if (this.known && now < this.known.until) return this.known.key;
    const key = this.newest();
    this.known = { key, until: now + REMEMBERED_MS };
    key.catch(() => (this.known = null));
    return key;
  }

  /** All keys whose documents may be trusted. A replaced key is included until staff retires it. */
  async published(): Promise<PublicJwk[]> {
    await this.current();
    const rows = await this.transactions.reader.find(SigningKeyRow, { where: { retiredAt: IsNull() }, order: NEWEST });
    return rows.map(({ id, publicKey }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      alg: 'EdDSA',
      use: 'sig',
      kid: id,
      x: publicKey.toString('base64url'),
    }));
  }

  /**
   * Creates a new pair. This process signs with it at once, others within a minute. The previous pair stays published.
   */
  async rotate(): Promise<void> {
    await this.transactions.run(() => this.insertPair());
    this.known = null;
  }

  /**
   * Seals the private keys again with the newest key of the ring. Older keys of the ring are then not needed for them.
   */
  reseal(): Promise<{ resealed: number; upToDate: number }> {
    return this.transactions.run(async () => {
      const rows = await this.transactions.writer.find(SigningKeyRow, { select: EVERYTHING, lock: FOR_UPDATE });
      const stale = rows.filter(({ sealedPrivateKey }) => this.ring.isStale(sealedPrivateKey));
      for (const { id, sealedPrivateKey } of stale) {
        const context = sealContext(id);
        const again = this.ring.seal(this.ring.open(sealedPrivateKey, context), context);
        await this.transactions.writer.update(SigningKeyRow, { id }, { sealedPrivateKey: again });
      }
      return { resealed: stale.length, upToDate: rows.length - stale.length };
    });
  }

  private async newest(): Promise<SigningKey> {
    return this.open((await this.find()) ?? (await this.insertFirst()));
  }

  private find(): Promise<SigningKeyRow | null> {
    return this.transactions.reader.findOne(SigningKeyRow, {
      select: EVERYTHING,
      where: { retiredAt: IsNull() },
      order: NEWEST,
    });
  }

  /** Two processes that find no key at the same time create only one. */
  private insertFirst(): Promise<SigningKeyRow> {
    return this.transactions.run(async () => {
      await this.transactions.writer.query('lock table license_service.signing_keys in exclusive mode');
      return (await this.find()) ?? (await this.insertPair());
    });
  }

  private async insertPair(): Promise<SigningKeyRow> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const id = this.randomness.uuid();
    const sealed = this.ring.seal(privateKey.export({ type: 'pkcs8', format: 'der' }), sealContext(id));
    const row: SigningKeyRow = {
      id,
      // The last 32 bytes of the SPKI document are the raw public key.
      publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32),
      sealedPrivateKey: sealed,
      createdAt: this.clock.now(),
      retiredAt: null,
    };
    await this.transactions.writer.insert(SigningKeyRow, row);
    return row;
  }

  private open(row: SigningKeyRow): SigningKey {
    try {
      const der = this.ring.open(row.sealedPrivateKey, sealContext(row.id));
      return { kid: row.id, privateKey: createPrivateKey({ key: der, type: 'pkcs8', format: 'der' }) };
    } catch (error) {
      throw new Unavailable('signing-key-sealed', 'License states cannot be signed at the moment.', { cause: error });
    }
  }
}

function sealContext(rowId: Uuid): SealContext {
  return {
    purpose: 'license-state-signing',
    table: 'license_service.signing_keys',
    column: 'sealed_private_key',
    rowId,
  };
}

import { SealBroken, type KeyRing } from '../key-ring.js';
import { StartRefused } from '../start-refused.js';
import type { Queryable, SealedKind } from './sealed-kind.js';
import { surveySealed, type SealedFinding } from './survey-sealed.js';

const CONTEXT = { purpose: 'key-ring-proof', table: 'platform.key_ring', column: 'proof', rowId: 'this' };

/**
 * Refuses a key ring that does not belong to this database. The last ring has left a sealed proof, so usually one value
 * is opened at start. All kinds are checked only if the proof does not open.
 * @throws StartRefused naming what cannot be opened, and the remedies
 */
export async function assertOwnKeyRing(
  database: Queryable,
  ring: KeyRing | undefined,
  kinds: readonly SealedKind[],
): Promise<void> {
  if (!ring || (await opensProof(database, ring))) return;
  const lost = (await surveySealed(database, ring, kinds)).filter(({ opens }) => !opens);
  if (lost.length > 0) throw new StartRefused(refusal(lost));
  await proveKeyRing(database, ring);
}

/** Records that the database now belongs to this ring; also after a rotation, so that older keys can be removed. */
export async function proveKeyRing(database: Queryable, ring: KeyRing): Promise<void> {
  await database.query(
    'insert into platform.key_ring (proof) values ($1) on conflict (only_row) do update set proof = excluded.proof',
    [ring.seal('this is the key ring', CONTEXT)],
  );
}

/** `variables and secrets of services (3, key k1), ...` */
export function namesOf(findings: readonly SealedFinding[]): string {
  return findings.map(({ kind, count, keyId }) => `${kind.what} (${count}, key ${keyId})`).join(', ');
}

async function opensProof(database: Queryable, ring: KeyRing): Promise<boolean> {
  const [row] = await database.query<{ proof: Buffer }[]>('select proof from platform.key_ring');
  if (!row) return false;
  try {
    ring.open(row.proof, CONTEXT);
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}

function refusal(lost: readonly SealedFinding[]): string {
  return (
    `SECRETS_KEYS is not the key ring of this database: it cannot open ${namesOf(lost)}. ` +
    'Restore the key ring (SECRETS_KEYS, or .data/secrets.json). If it is permanently lost, `npm start -- --new-keys` ' +
    'or `cli secrets give-up` continues without the items named here.'
  );
}

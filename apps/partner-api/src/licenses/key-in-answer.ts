import type { FastifyReply } from 'fastify';
import type { Actor, KeyHandovers } from '#libs/licensing';
import type { Uuid } from '#kernel/crypto/uuid';

/**
 * To be called right before the answer that holds a license's key: notes that the key leaves, and notices when it does
 * not get out.
 * @throws Unavailable when the key must not leave
 */
export async function handOverKey(
  { raw }: FastifyReply,
  actor: Actor,
  licenseId: Uuid,
  handovers: KeyHandovers,
): Promise<void> {
  // Who sent an Idempotency-Key can ask for the key again: it is noted when it is out.
  const canRepeat = actor.operationId !== null;
  let settled = false;
  const settle = (out: boolean) => {
    if (settled) return;
    settled = true;
    if (!out) handovers.failed(licenseId);
    else if (canRepeat) handovers.left(licenseId);
  };
  raw.once('finish', () => settle(raw.statusCode === 201));
  raw.once('close', () => settle(false));
  if (raw.destroyed) settle(false);
  else if (!canRepeat) await handovers.leaving(licenseId);
}

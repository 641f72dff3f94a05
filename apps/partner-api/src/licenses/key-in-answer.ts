import type { FastifyReply } from 'fastify';
import type { Actor, KeyHandovers } from '#libs/licensing';
import type { Uuid } from '#kernel/crypto/uuid';

/**
 * Call it right before the response that contains a license's key: records that the key is being sent, and reports if
 * sending fails.
 * @throws Unavailable if the key must not be sent
 */
export async function handOverKey(
  { raw }: FastifyReply,
  actor: Actor,
  licenseId: Uuid,
  handovers: KeyHandovers,
): Promise<void> {
  // With an Idempotency-Key the caller can ask for the key again, so it is recorded after it was sent.
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

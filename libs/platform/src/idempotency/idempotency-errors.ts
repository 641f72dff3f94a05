import { Conflict, Invalid } from '#kernel/errors';

export function keyInProgress(): Conflict {
  return new Conflict('idempotency-key-in-progress', 'A request with this Idempotency-Key is still being processed.');
}

export function keyReused(): Invalid {
  return new Invalid('idempotency-key-reused', 'The Idempotency-Key was used before with another request.');
}

import { createHmac } from 'node:crypto';
import { SecretText } from '#kernel/crypto/secret-text';
import type { ContainerPlan } from '../../domain/service-plan.js';
import type { ContainerFile } from '../ports/engine/container-runtime.js';

/** Everything that distinguishes one container from another of the same name. */
export interface SpecContent {
  readonly plan: ContainerPlan;
  readonly imageId: string;
  /** The plan's environment and files with every secret filled in. */
  readonly environment: ReadonlyMap<string, SecretText>;
  readonly files: readonly ContainerFile[];
}

/**
 * A hash to compare an existing container with the desired one. It is keyed, because it is stored in a label and the
 * content includes passwords, which could otherwise be guessed and checked against it.
 * @param key at least 32 bytes; with a different key every container counts as changed
 * @returns 64 hexadecimal digits
 */
export function specHash({ plan, imageId, environment, files }: SpecContent, key: Buffer): string {
  if (key.length < 32) throw new RangeError('the key of a spec hash has at least 32 bytes');
  const { environment: _templates, files: _unresolved, ...rest } = plan;
  const content = canonical({ plan: rest, imageId, environment, files });
  return createHmac('sha256', key).update(JSON.stringify(content)).digest('hex');
}

/** Plain JSON with sorted keys, so that their order does not affect the hash. */
function canonical(value: unknown): unknown {
  if (value instanceof SecretText) return value.reveal();
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] =
    value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
  return entries
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, content]) => [key, canonical(content)] as const);
}

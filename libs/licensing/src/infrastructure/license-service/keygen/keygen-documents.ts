import { z } from 'zod';
import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseMetadata, LicenseOrder } from '../../../application/ports/license-service.js';
import type { KeygenAnswer } from './keygen-connection.js';
import { OutcomeUnknown } from './keygen-errors.js';

const licenseDocument = z.object({
  data: z.object({
    type: z.literal('licenses'),
    id: z.string(),
    attributes: z.object({
      key: z.string().min(1),
      expiry: z.iso.datetime({ offset: true }).nullable(),
      suspended: z.boolean(),
      metadata: z.record(z.string(), z.unknown()).nullish(),
    }),
    relationships: z.object({ policy: z.object({ data: z.object({ id: z.string() }) }) }),
  }),
});

const errorDocument = z.object({
  errors: z.array(
    z.object({ code: z.string().optional(), source: z.object({ pointer: z.string().optional() }).optional() }),
  ),
});

/** Keygen's record of a license, without its key. */
export interface KeygenLicense {
  readonly id: string;
  readonly policyId: string;
  readonly suspended: boolean;
  readonly expiresAt: Date | null;
  readonly sequence: number | null;
}

/** @throws OutcomeUnknown if the response does not describe a license */
export function licenseOf(answer: KeygenAnswer): KeygenLicense {
  const { id, attributes, relationships } = read(answer);
  const sequence = attributes.metadata?.sequence;
  return {
    id,
    policyId: relationships.policy.data.id,
    suspended: attributes.suspended,
    expiresAt: attributes.expiry === null ? null : new Date(attributes.expiry),
    sequence: typeof sequence === 'number' ? sequence : null,
  };
}

/** @throws OutcomeUnknown if the response does not describe the requested license */
export function keyOf(answer: KeygenAnswer, upstreamLicenseId: Uuid): SecretText {
  const { id, attributes } = read(answer);
  if (id !== upstreamLicenseId) throw new OutcomeUnknown('the answer is about another license');
  return new SecretText(attributes.key);
}

/** True if Keygen names this code as a reason for its refusal. */
export function hasCode(answer: KeygenAnswer, code: string): boolean {
  return errorsOf(answer).some((error) => error.code === code);
}

/** True if Keygen says that the suspension is already as requested. */
export function isAboutSuspension(answer: KeygenAnswer): boolean {
  return errorsOf(answer).some((error) => error.source?.pointer === '/data/attributes/suspended');
}

/** The reasons of a refusal in a form that may be logged: codes and pointers, never Keygen's messages. */
export function reasonsOf(answer: KeygenAnswer): string {
  const reasons = errorsOf(answer).map(({ code, source }) => [code, source?.pointer].filter(Boolean).join(' '));
  return `${answer.status} ${reasons.filter((reason) => /^[\w/ .-]{1,100}$/.test(reason)).join(', ')}`.trim();
}

export function newLicense(order: LicenseOrder, policyId: Uuid): object {
  return {
    data: {
      type: 'licenses',
      id: order.upstreamLicenseId,
      attributes: {
        ...(order.key && { key: order.key.reveal() }),
        expiry: expiryText(order.expiresAt),
        metadata: metadataObject(order.metadata),
      },
      relationships: { policy: { data: { type: 'policies', id: policyId } } },
    },
  };
}

export function attributeChange(upstreamLicenseId: Uuid, attributes: object): object {
  return { data: { type: 'licenses', id: upstreamLicenseId, attributes } };
}

export function policyLinkage(policyId: Uuid): object {
  return { data: { type: 'policies', id: policyId } };
}

/**
 * Keygen changes the case of some metadata keys, so these names are chosen to stay the same. The object is always sent
 * as a whole.
 */
export function metadataObject({ partnerId, customerId, contractId, sequence }: LicenseMetadata): object {
  return { partnerId, customerId, contractId, sequence };
}

export function expiryText(expiresAt: Date | null): string | null {
  return expiresAt === null ? null : expiresAt.toISOString();
}

function read(answer: KeygenAnswer): z.output<typeof licenseDocument>['data'] {
  const result = licenseDocument.safeParse(answer.json);
  // Invalid values are not quoted: they may contain the key.
  if (!result.success) throw new OutcomeUnknown(`${answer.status} with a body that is not a license document`);
  return result.data.data;
}

function errorsOf(answer: KeygenAnswer): z.output<typeof errorDocument>['errors'] {
  const result = errorDocument.safeParse(answer.json);
  return result.success ? result.data.errors : [];
}

import { z } from 'zod';
import { PRICING_MODELS } from '#libs/billing';
import { CUSTOMER_STATUSES } from '#libs/customers';
import { PARTNER_TYPES } from '#libs/partners';
import { SecretText } from '#kernel/crypto/secret-text';
import { COUNTRY_RULE, EMAIL_RULE, WEBSITE_RULE } from '#platform/http/validation/address.decorator';
import type { LineType } from '../../application/import/import-line.js';
import { LEDGER_EVENT_TYPES } from '../../domain/ledger-event.js';
import { LicenseKey, maskKey } from '../../domain/license-key.js';
import { LICENSE_STATES } from '../../domain/license-state.js';
import {
  addressText,
  day,
  flag,
  integer,
  oneOf,
  optionalText,
  pastDay,
  pastMoment,
  ref,
  text,
  uuid,
} from './line-fields.js';

/** Two ways to name another record: by the ref of an imported line, or by id. */
const reference = <const N extends string>(name: N) =>
  ({ [`${name}Ref`]: ref.optional(), [`${name}Id`]: uuid.optional() }) as {
    [K in `${N}Ref`]: z.ZodOptional<typeof ref>;
  } & { [K in `${N}Id`]: z.ZodOptional<typeof uuid> };

const customerDetails = {
  externalRef: optionalText(500),
  name: z.preprocess((value) => (typeof value === 'string' ? value.trim() : value), text(200, 1)),
  legalName: optionalText(500),
  vatId: optionalText(500),
  email: addressText(EMAIL_RULE),
  phone: optionalText(500),
  billingStreet: optionalText(500),
  billingPostalCode: optionalText(500),
  billingCity: optionalText(500),
  billingRegion: optionalText(500),
  billingCountry: addressText(COUNTRY_RULE),
  postalStreet: optionalText(500),
  postalPostalCode: optionalText(500),
  postalCity: optionalText(500),
  postalRegion: optionalText(500),
  postalCountry: addressText(COUNTRY_RULE),
  website: addressText(WEBSITE_RULE),
  ownerEmail: addressText(EMAIL_RULE),
  status: oneOf(CUSTOMER_STATUSES).default('active'),
};

const contactDetails = {
  firstName: optionalText(500),
  lastName: optionalText(500),
  title: optionalText(500),
  email: addressText(EMAIL_RULE),
  phone: optionalText(500),
  locale: optionalText(500),
  notes: optionalText(500),
  isPrimary: flag.default(false),
};

/**
 * The key of a license. Only its hash, its masked form and its sealed form are stored. A key of our own license service
 * is hashed in canonical form, any other as it is.
 */
const key = text(500, 1).transform((clear) => {
  const secret = new SecretText(clear);
  return { key: secret, keyHash: LicenseKey.of(secret).hash.toString('hex'), keyMasked: maskKey(secret) };
});

/** The schema of each line type. Unknown fields are ignored, null counts as missing. */
export function lineSchemas(now: Date): Readonly<Record<LineType, z.ZodType>> {
  const moment = pastMoment(now);
  const createdAt = moment.optional();
  return {
    partner: z.object({
      ref,
      name: text(10_000),
      partnerType: oneOf(PARTNER_TYPES),
      ...reference('parent'),
      createdAt,
    }),
    contract: z.object({
      ref,
      ...reference('partner'),
      reference: text(10_000),
      model: oneOf(PRICING_MODELS),
      currency: text(10_000),
      unitPriceCents: integer,
      validFrom: day,
      validTo: day.nullable().default(null),
      licenseCap: integer.nullable().default(null),
      packSize: integer.nullable().default(null),
      editions: z.array(text(100), 'must be an array of strings').default([]),
      createdAt,
    }),
    customer: z.object({ ref, ...reference('partner'), ...customerDetails, createdAt }),
    contact: z.object({ ref, ...reference('customer'), ...contactDetails, createdAt }),
    license: z
      .object({
        ref,
        ...reference('partner'),
        ...reference('customer'),
        ...reference('contract'),
        upstreamLicenseId: uuid.optional(),
        edition: text(100, 1),
        key: key.optional(),
        state: oneOf(LICENSE_STATES),
        issuedAt: moment,
        terminatedAt: moment.optional(),
        suspendedAt: moment.optional(),
        expiredAt: moment.optional(),
        externalBillingRef: optionalText(500),
      })
      .transform(({ key: known, ...license }) => ({ ...license, keyMasked: '…', ...known })),
    event: z.object({
      ref: ref.optional(),
      ...reference('license'),
      event: oneOf(LEDGER_EVENT_TYPES),
      at: moment,
      actor: text(500).optional(),
    }),
    transfer: z.object({
      ref: ref.optional(),
      ...reference('license'),
      ...reference('toPartner'),
      ...reference('toCustomer'),
      ...reference('toContract'),
      effectiveDate: pastDay(now),
      reason: optionalText(1000),
      createdAt,
    }),
  };
}

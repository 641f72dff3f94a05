import type { LineType } from '../../application/import/import-line.js';

/** A reference of a line: fields `<name>Ref` and `<name>Id`. */
export interface StagedReference {
  readonly name: string;
  readonly to: 'partner' | 'contract' | 'customer' | 'license';
}

export const REFERENCES: Readonly<Record<LineType, readonly StagedReference[]>> = {
  partner: [{ name: 'parent', to: 'partner' }],
  contract: [{ name: 'partner', to: 'partner' }],
  customer: [{ name: 'partner', to: 'partner' }],
  contact: [{ name: 'customer', to: 'customer' }],
  license: [
    { name: 'partner', to: 'partner' },
    { name: 'customer', to: 'customer' },
    { name: 'contract', to: 'contract' },
  ],
  event: [{ name: 'license', to: 'license' }],
  transfer: [
    { name: 'license', to: 'license' },
    { name: 'toPartner', to: 'partner' },
    { name: 'toCustomer', to: 'customer' },
    { name: 'toContract', to: 'contract' },
  ],
};

const OWN_COLUMNS: Readonly<Record<LineType, string>> = {
  partner: 'name text, "partnerType" text, "createdAt" timestamptz, level integer',
  contract: `reference text, model text, currency text, "unitPriceCents" bigint, "validFrom" date, "validTo" date,
    "licenseCap" integer, "packSize" integer, editions text[], "createdAt" timestamptz`,
  customer: `"externalRef" text, name text, "legalName" text, "vatId" text, email text, phone text,
    "billingStreet" text, "billingPostalCode" text, "billingCity" text, "billingRegion" text, "billingCountry" text,
    "postalStreet" text, "postalPostalCode" text, "postalCity" text, "postalRegion" text, "postalCountry" text,
    website text, "ownerEmail" text, status text, "createdAt" timestamptz`,
  contact: `"firstName" text, "lastName" text, title text, email text, phone text, locale text, notes text,
    "isPrimary" boolean, "createdAt" timestamptz`,
  license: `"upstreamLicenseId" uuid, edition text, "keyHash" text, "keyMasked" text, "sealedKey" text, state text,
    "issuedAt" timestamptz, "terminatedAt" timestamptz, "suspendedAt" timestamptz, "expiredAt" timestamptz,
    "externalBillingRef" text`,
  event: 'event text, at timestamptz, actor text, "licenseLine" integer',
  transfer: '"effectiveDate" date, reason text, "createdAt" timestamptz, "licenseLine" integer',
};

export const tableOf = (type: LineType): string => `pg_temp.import_${type}`;

/** The fields of a line under their own names; `known` is true for a line that was imported before. */
export function stagingTable(type: LineType): string {
  const references = REFERENCES[type].map(({ name }) => `"${name}Ref" text, "${name}Id" uuid`);
  const columns = ['line integer, ref text, hash text, id uuid, known boolean', ...references, OWN_COLUMNS[type]];
  return `create temp table import_${type} (${columns.join(', ')}) on commit drop`;
}

import type { Line } from '../licensing/import-file.js';

/** Valid lines of an import file. A test overrides the fields that it is about. */
export const partnerLine = (ref: string, change: Line = {}): Line => {
  return { type: 'partner', ref, name: `Partner ${ref}`, partnerType: 'hoster', ...change };
};

export const contractLine = (ref: string, partnerRef: string, change: Line = {}): Line => ({
  type: 'contract',
  ref,
  partnerRef,
  reference: `Agreement ${ref}`,
  model: 'per_instance_metered',
  currency: 'EUR',
  unitPriceCents: 1000,
  validFrom: '2020-01-01',
  ...change,
});

export const customerLine = (ref: string, partnerRef: string, change: Line = {}): Line => {
  return { type: 'customer', ref, partnerRef, name: `Customer ${ref}`, ...change };
};

export const contactLine = (ref: string, customerRef: string, change: Line = {}): Line => {
  return { type: 'contact', ref, customerRef, firstName: 'Ada', ...change };
};

/** A license of the partner `a`, its customer `a-customer` and its contract `a-contract`. */
export const licenseLine = (ref: string, change: Line = {}): Line => ({
  type: 'license',
  ref,
  partnerRef: 'a',
  customerRef: 'a-customer',
  contractRef: 'a-contract',
  edition: 'web-host',
  state: 'active',
  issuedAt: '2024-03-05T10:00:00Z',
  ...change,
});

/** A transfer to the partner `to`, its customer `<to>-customer` and its contract `<to>-contract`. */
export const transferLine = (licenseRef: string, to: string, effectiveDate: string, change: Line = {}): Line => ({
  type: 'transfer',
  licenseRef,
  toPartnerRef: to,
  toCustomerRef: `${to}-customer`,
  toContractRef: `${to}-contract`,
  effectiveDate,
  reason: 'moved',
  ...change,
});

export const eventLine = (licenseRef: string, event: string, at: string, change: Line = {}): Line => {
  return { type: 'event', licenseRef, event, at, ...change };
};

/** A partner with a customer and a contract. */
export const ownerLines = (ref: string, contract: Line = {}, partner: Line = {}): Line[] => [
  partnerLine(ref, partner),
  contractLine(`${ref}-contract`, ref, contract),
  customerLine(`${ref}-customer`, ref),
];

import type { Uuid } from '#kernel/crypto/uuid';
import { pickDefined } from './pick-defined.js';

export const CUSTOMER_STATUSES = ['prospect', 'active', 'suspended', 'churned'] as const;

/** Chosen freely by the partner. No status restricts anything. */
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number];

/** Writable fields. An unknown text is empty, never null. */
export interface CustomerDetails {
  /** The partner's own reference: stored as given, never interpreted, not unique. */
  readonly externalRef: string;
  readonly name: string;
  readonly legalName: string;
  readonly vatId: string;
  readonly email: string;
  readonly phone: string;
  readonly billingStreet: string;
  readonly billingPostalCode: string;
  readonly billingCity: string;
  readonly billingRegion: string;
  /** ISO 3166-1 alpha-2 in upper case, or empty. */
  readonly billingCountry: string;
  readonly postalStreet: string;
  readonly postalPostalCode: string;
  readonly postalCity: string;
  readonly postalRegion: string;
  /** ISO 3166-1 alpha-2 in upper case, or empty. */
  readonly postalCountry: string;
  readonly website: string;
  readonly ownerEmail: string;
  readonly status: CustomerStatus;
}

/** An end customer of a partner, to whom licenses are issued. */
export interface Customer extends CustomerDetails {
  readonly id: Uuid;
  readonly humanId: string;
  readonly partnerId: Uuid;
  readonly createdAt: Date;
}

/** A customer without its database number. */
export type NewCustomer = Omit<Customer, 'humanId'>;

const BLANK: CustomerDetails = {
  externalRef: '',
  name: '',
  legalName: '',
  vatId: '',
  email: '',
  phone: '',
  billingStreet: '',
  billingPostalCode: '',
  billingCity: '',
  billingRegion: '',
  billingCountry: '',
  postalStreet: '',
  postalPostalCode: '',
  postalCity: '',
  postalRegion: '',
  postalCountry: '',
  website: '',
  ownerEmail: '',
  status: 'active',
};

const DETAILS = Object.keys(BLANK) as (keyof CustomerDetails)[];

/** The details with omitted values empty, and the status `active`. */
export function newCustomerDetails(input: Partial<CustomerDetails> & Pick<CustomerDetails, 'name'>): CustomerDetails {
  return { ...BLANK, ...customerChanges(input) };
}

/** Only the given details: the rest of the customer keeps its value. */
export function customerChanges(input: Partial<CustomerDetails>): Partial<CustomerDetails> {
  return pickDefined(input, DETAILS);
}

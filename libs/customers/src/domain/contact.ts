import { Invalid } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { pickDefined } from './pick-defined.js';

/** Writable fields. An unknown text is empty, never null. */
export interface ContactDetails {
  readonly firstName: string;
  readonly lastName: string;
  readonly title: string;
  readonly email: string;
  readonly phone: string;
  readonly locale: string;
  readonly notes: string;
  /** At most one contact of a customer has it. */
  readonly isPrimary: boolean;
}

/** A person at a customer. */
export interface Contact extends ContactDetails {
  readonly id: Uuid;
  readonly humanId: string;
  readonly customerId: Uuid;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A contact without its database number. */
export type NewContact = Omit<Contact, 'humanId'>;

const BLANK: ContactDetails = {
  firstName: '',
  lastName: '',
  title: '',
  email: '',
  phone: '',
  locale: '',
  notes: '',
  isPrimary: false,
};

const DETAILS = Object.keys(BLANK) as (keyof ContactDetails)[];

export const NAME_RULE = 'firstName and lastName must not both be empty';

/** A contact needs a first or a last name, and not only white space (rule 1). */
export function hasName({ firstName, lastName }: Partial<Pick<ContactDetails, 'firstName' | 'lastName'>>): boolean {
  return `${firstName ?? ''}${lastName ?? ''}`.trim() !== '';
}

/** @throws Invalid if neither a first nor a last name is given */
export function newContactDetails(input: Partial<ContactDetails>): ContactDetails {
  return changedContactDetails(BLANK, input);
}

/**
 * The details after a change. Omitted values stay as they are; keys that are not details are ignored.
 * @throws Invalid if the change would leave the contact without a name
 */
export function changedContactDetails(current: ContactDetails, input: Partial<ContactDetails>): ContactDetails {
  const details = { ...BLANK, ...pickDefined(current, DETAILS), ...pickDefined(input, DETAILS) };
  if (hasName(details)) return details;
  const violation = (field: string) => ({ path: `/${field}`, code: 'validation', message: NAME_RULE });
  throw new Invalid('validation', NAME_RULE, [violation('firstName'), violation('lastName')]);
}

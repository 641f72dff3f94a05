import { BillingContract } from '#libs/billing';
import { hasName, NAME_RULE } from '#libs/customers';
import { newPartner } from '#libs/partners';
import { BillingDate } from '#kernel/time/calendar-date';
import { Invalid } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import type { ImportLine, LicenseLine, LineType, PartnerLine } from '../../application/import/import-line.js';

/** Placeholders for the values that a line omits, so that the domain rules can be checked. */
const ANY_ID = '00000000-0000-4000-8000-000000000000' as Uuid;
const ANY_TIME = new Date(0);

/** The records that a line names; those with a question mark are optional. */
const REFERENCES: Readonly<Record<LineType, readonly string[]>> = {
  partner: ['parent?'],
  contract: ['partner'],
  customer: ['partner'],
  contact: ['customer'],
  license: ['partner', 'customer', 'contract'],
  event: ['license'],
  transfer: ['license', 'toPartner', 'toCustomer', 'toContract'],
};

/** The domain rules that a well-formed line breaks, as far as it can be checked without other lines. */
export function lineRuleProblems(line: ImportLine): string[] {
  switch (line.type) {
    case 'partner':
      return partnerProblems(line);
    case 'contract':
      return problemsOf(() => BillingContract.sign({ ...line, id: ANY_ID, partnerId: ANY_ID, createdAt: ANY_TIME }));
    case 'license':
      return stateProblems(line);
    case 'customer':
    case 'contact':
    case 'event':
    case 'transfer':
      return [];
  }
}

/** Reports missing values: each record must be named once, by ref or by id, and a contact must have a name. */
export function lineGapProblems(type: LineType, fields: Readonly<Record<string, unknown>>): string[] {
  const isPresent = (field: string) => fields[field] !== undefined;
  const gaps = REFERENCES[type].flatMap((each) => {
    const name = each.replace('?', '');
    const [byRef, byId] = [isPresent(`${name}Ref`), isPresent(`${name}Id`)];
    if (byRef && byId) return [`${name}Id must not be given together with ${name}Ref`];
    return byRef || byId || each !== name ? [] : [`${name}Ref is required, or ${name}Id`];
  });
  return type === 'contact' && isNameless(fields) ? [...gaps, NAME_RULE] : gaps;
}

/** A name that is not a string is reported elsewhere. */
function isNameless({ firstName = '', lastName = '' }: Readonly<Record<string, unknown>>): boolean {
  return typeof firstName === 'string' && typeof lastName === 'string' && !hasName({ firstName, lastName });
}

const NAMED_HERE: Readonly<Record<string, string>> = { type: 'partnerType', parent: 'parentRef' };

function partnerProblems({ name, partnerType, parentRef, parentId }: PartnerLine): string[] {
  const parent = parentRef === undefined && parentId === undefined ? null : ANY_ID;
  const partner = { id: ANY_ID, name, type: partnerType, parentId: parent, createdAt: ANY_TIME };
  return problemsOf(() => newPartner(partner)).map((message) =>
    message.replace(/^\w+/, (field) => NAMED_HERE[field] ?? field),
  );
}

function stateProblems({ state, issuedAt, terminatedAt, suspendedAt, expiredAt }: LicenseLine): string[] {
  const problems: string[] = [];
  if (state === 'terminated' && !terminatedAt) problems.push('terminatedAt is required for the state terminated');
  if (state !== 'terminated' && terminatedAt) problems.push('terminatedAt belongs to the state terminated only');
  if (state !== 'suspended' && suspendedAt) problems.push('suspendedAt belongs to the state suspended only');
  if (state !== 'expired' && expiredAt) problems.push('expiredAt belongs to the state expired only');
  const ends = { terminatedAt, suspendedAt, expiredAt };
  for (const [field, at] of Object.entries(ends)) {
    if (at && at < issuedAt && !isDayOf(at, issuedAt)) problems.push(`${field} must not be before issuedAt`);
  }
  return problems;
}

/** True for the first instant of the issue day, which is how a plain date is read. */
function isDayOf(at: Date, issuedAt: Date): boolean {
  return BillingDate.of(issuedAt).startsAt().getTime() === at.getTime();
}

function problemsOf(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof Invalid) return error.violations.map(({ message }) => message);
    throw error;
  }
}

import { BillingContract } from '#libs/billing';
import { hasName, NAME_RULE } from '#libs/customers';
import { newPartner } from '#libs/partners';
import { BillingDate } from '#kernel/calendar-date';
import { Invalid } from '#kernel/errors';
import type { Uuid } from '#kernel/uuid';
import type { ImportLine, LicenseLine, PartnerLine } from '../../application/import/import-line.js';

/** Stands for what a line does not say itself while its rules are checked. */
const ANY_ID = '00000000-0000-4000-8000-000000000000' as Uuid;
const ANY_TIME = new Date(0);

/** What a line of the right shape breaks of the rules of the domain, as far as it can be told without other lines. */
export function lineRuleProblems(line: ImportLine): string[] {
  switch (line.type) {
    case 'partner':
      return [...references(line, 'parent?'), ...partnerProblems(line)];
    case 'contract':
      return [
        ...references(line, 'partner'),
        ...problemsOf(() => BillingContract.sign({ ...line, id: ANY_ID, partnerId: ANY_ID, createdAt: ANY_TIME })),
      ];
    case 'customer':
      return references(line, 'partner');
    case 'contact':
      return [...references(line, 'customer'), ...(hasName(line) ? [] : [NAME_RULE])];
    case 'license':
      return [...references(line, 'partner', 'customer', 'contract'), ...stateProblems(line)];
    case 'event':
      return references(line, 'license');
    case 'transfer':
      return references(line, 'license', 'toPartner', 'toCustomer', 'toContract');
  }
}

/** Each record is named once, by ref or by id; one with a question mark may be left out. */
function references(line: ImportLine, ...names: readonly string[]): string[] {
  const given = (field: string) => (line as object as Record<string, unknown>)[field] !== undefined;
  return names.flatMap((each) => {
    const name = each.replace('?', '');
    const [byRef, byId] = [given(`${name}Ref`), given(`${name}Id`)];
    if (byRef && byId) return [`${name}Id must not be given beside ${name}Ref`];
    return byRef || byId || each !== name ? [] : [`${name}Ref is required, or ${name}Id`];
  });
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

/** The first instant of the day of issue stands for that day. */
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

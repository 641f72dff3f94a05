import type { BillingDate } from '#kernel/time/calendar-date';
import { nameOf } from './ids.js';
import type { World } from './arbitrary-world.js';

/**
 * Section 11 of the billing decisions, implemented naively: a loop over the days of the month, dates as strings,
 * amounts as BigInt. It shares no code with the engine.
 */
export function statementsDayByDay(world: World, partners: readonly string[]) {
  const days = daysOf(world);
  const payers = world.licenses.map((license) => days.map((day) => payer(license, day)));
  return partners.map((partner) => statementOf(partner, world, days, payers));
}

function statementOf(partner: string, world: World, days: string[], payers: (string | null)[][]) {
  const firstDay = days[0]!;
  const lastDay = days.at(-1)!;
  const monthLength = BigInt(days.length);
  const lines: OracleLine[] = [];

  for (const { state } of world.contracts) {
    if (nameOf(state.partnerId) !== partner) continue;
    const price = BigInt(state.unitPriceCents);
    const contractId = nameOf(state.id);
    const validDays = days.filter((day) => day >= text(state.validFrom) && day <= text(state.validTo)).length;
    const line = (quantity: number, amount: bigint, detail: OracleLine['detail'] = [], pack?: OracleLine['pack']) => {
      const { model, currency, unitPriceCents } = state;
      const printed = { contractId, model, currency, quantity, unitPriceCents, amountCents: Number(amount), detail };
      lines.push(pack ? { ...printed, pack } : printed);
    };
    const daysByLicense = world.licenses
      .map(({ name }, index) => ({ name, days: payers[index]!.filter((owner) => owner === contractId).length }))
      .filter((license) => license.days > 0);

    if (state.model === 'per_instance_metered' && daysByLicense.length > 0) {
      const detail = daysByLicense.map((license) => ({
        licenseId: license.name,
        days: license.days,
        amountCents: Number(nearest(price * BigInt(license.days), monthLength)),
      }));
      line(detail.length, detail.reduce((sum, part) => sum + BigInt(part.amountCents), 0n), detail); // prettier-ignore
    }
    if ((state.model === 'flat_unlimited' || state.model === 'flat_capped') && validDays > 0) {
      line(1, nearest(price * BigInt(validDays), monthLength));
    }
    if ((state.model === 'trial' || state.model === 'not_for_resale') && daysByLicense.length > 0) {
      line(daysByLicense.length, 0n);
    }
    if (state.model === 'prepaid_pack' && validDays > 0) {
      const draws = world.licenses.map((license) => drawnOn(license, contractId)).filter((day) => day <= lastDay);
      const size = state.packSize ?? 0;
      const drawnInPeriod = draws.filter((day) => day >= firstDay).length;
      const remaining = size > draws.length ? size - draws.length : 0;
      line(draws.length, 0n, [], { size, drawn: draws.length, drawnInPeriod, remaining });
    }
  }

  const currencies = [...new Set(lines.map((line) => line.currency))].sort();
  const totals = currencies.map((currency) => ({
    currency,
    amountCents: lines.filter((line) => line.currency === currency).reduce((sum, line) => sum + line.amountCents, 0),
  }));
  return { lines, totals };
}

interface OracleLine {
  contractId: string;
  model: string;
  currency: string;
  quantity: number;
  unitPriceCents: number;
  amountCents: number;
  detail: { licenseId: string; days: number; amountCents: number }[];
  pack?: { size: number; drawn: number; drawnInPeriod: number; remaining: number };
}

type License = World['licenses'][number];

const NO_DAY = '9999-99-99';

/**
 * Who pays for a day: the target of the transfer with the latest effective day up to then (of several, the last
 * recorded), otherwise the issuer.
 */
function payer(license: License, day: string): string | null {
  if (day < text(license.issuedOn) || day > text(license.terminatedOn)) return null;
  let owner = license.contractId;
  let since = '';
  let order = -1;
  for (const transfer of license.transfers) {
    const effective = text(transfer.effectiveDate);
    if (effective > day) continue;
    if (effective > since || (effective === since && transfer.recordedOrder > order)) {
      owner = transfer.toContractId;
      since = effective;
      order = transfer.recordedOrder;
    }
  }
  return nameOf(owner);
}

/** The first day on which the license was issued on the pack or moved to it within its life. */
function drawnOn(license: License, contractId: string): string {
  const issued = text(license.issuedOn);
  const days = license.transfers
    .filter((transfer) => nameOf(transfer.toContractId) === contractId)
    .map((transfer) => text(transfer.effectiveDate))
    .filter((day) => day <= text(license.terminatedOn))
    .map((day) => (day < issued ? issued : day));
  if (nameOf(license.contractId) === contractId) days.push(issued);
  return days.sort()[0] ?? NO_DAY;
}

function nearest(numerator: bigint, denominator: bigint): bigint {
  const whole = numerator / denominator;
  const rest = numerator - whole * denominator;
  return rest + rest >= denominator ? whole + 1n : whole;
}

const texts = new Map<number, string>();

/** A missing end is later than every day. */
function text(day: BillingDate | null): string {
  if (day === null) return NO_DAY;
  const known = texts.get(day.epochDay);
  if (known !== undefined) return known;
  texts.set(day.epochDay, day.toString());
  return day.toString();
}

function daysOf({ period }: World): string[] {
  const month = period.toString();
  const length = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
  return Array.from({ length }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}

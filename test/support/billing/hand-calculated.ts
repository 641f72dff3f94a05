import type { PricingModel } from '#libs/billing';
import {
  contractLine,
  customerLine,
  eventLine,
  licenseLine,
  partnerLine,
  transferLine,
} from '../builders/import-lines.js';
import type { Line } from '../licensing/import-file.js';

/** The facts of one example, as an older system would export them, and what each partner must pay. */
export interface Story {
  readonly title: string;
  /** `YYYY-MM` */
  readonly month: string;
  readonly contracts: Readonly<Record<string, Terms>>;
  readonly licenses: Readonly<Record<string, Past>>;
  readonly expected: Readonly<Record<string, Expected>>;
}

export interface Terms {
  readonly partner: string;
  readonly model: PricingModel;
  readonly unitPriceCents: number;
  readonly currency?: string;
  readonly validFrom?: string;
  readonly validTo?: string;
  readonly packSize?: number;
}

export interface Past {
  readonly on: string;
  readonly issuedAt: string;
  readonly terminatedAt?: string;
  /** `active` unless it is terminated. */
  readonly state?: string;
  /** Effective day and contract, in the order of recording. */
  readonly moves?: readonly (readonly [day: string, to: string])[];
  /** Other events: kind and time. */
  readonly events?: readonly (readonly [event: string, at: string])[];
}

export interface Expected {
  readonly totals: Readonly<Record<string, number>>;
  /** By contract: quantity, cents, the exact amount; then days and cents of each license, or the counts of a pack. */
  readonly lines: Readonly<Record<string, ExpectedLine>>;
}

export type ExpectedLine = readonly [
  quantity: number,
  cents: number,
  exact: string,
  more?: Readonly<Record<string, readonly [days: number, cents: number]>>,
  pack?: { readonly size: number; readonly drawn: number; readonly drawnInPeriod: number; readonly remaining: number },
];

/** The lines of an import file. @param prefix keeps the refs of several stories apart */
export function storyLines({ contracts, licenses }: Pick<Story, 'contracts' | 'licenses'>, prefix: string): Line[] {
  const named = (name: string) => prefix + name;
  const ownerOf = (contract: string) => named(contracts[contract]!.partner);
  const partners = [...new Set(Object.values(contracts).map(({ partner }) => named(partner)))];
  return [
    ...partners.flatMap((partner) => [partnerLine(partner), customerLine(partner, partner)]),
    ...Object.entries(contracts).map(([name, { partner, ...terms }]) =>
      contractLine(named(name), named(partner), { ...terms }),
    ),
    ...Object.entries(licenses).flatMap(([name, { on, moves = [], events = [], ...facts }]) => [
      licenseLine(named(name), {
        partnerRef: ownerOf(on),
        customerRef: ownerOf(on),
        contractRef: named(on),
        state: facts.terminatedAt ? 'terminated' : 'active',
        ...facts,
      }),
      ...events.map(([event, at]) => eventLine(named(name), event, at)),
      ...moves.map(([day, to]) => moveLine(named(name), ownerOf(to), named(to), day)),
    ]),
  ];
}

function moveLine(license: string, toPartnerRef: string, toContractRef: string, effectiveDate: string): Line {
  return transferLine(license, '', effectiveDate, { toPartnerRef, toCustomerRef: toPartnerRef, toContractRef });
}

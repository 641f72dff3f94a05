import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PricingModel } from '#libs/billing';

export interface ExampleContract {
  readonly id: string;
  readonly partner: string;
  readonly model: PricingModel;
  readonly currency: string;
  readonly unitPriceCents: number;
  readonly validFrom?: string;
  readonly validTo?: string | null;
  readonly packSize?: number;
}

export interface ExampleLicense {
  readonly id: string;
  readonly contract: string;
  readonly issuedAt: string;
  readonly terminatedAt: string | null;
  readonly transfers: readonly { readonly seq: number; readonly effectiveDate: string; readonly toContract: string }[];
}

interface ExpectedLine {
  readonly contractId: string;
  readonly exact: string;
  readonly detail: readonly { readonly licenseId: string; readonly days: number; readonly exact: string }[];
}

export interface Example {
  readonly title: string;
  readonly period: string;
  readonly contracts: readonly ExampleContract[];
  readonly licenses: readonly ExampleLicense[];
  readonly expected: Readonly<Record<string, { readonly lines: readonly ExpectedLine[]; readonly totals: unknown[] }>>;
}

const FILE = path.resolve(__dirname, '../../../libs/billing/src/testing/billing-examples.json');

/** The worked examples from the billing rules of the contract. */
export const EXAMPLES = (JSON.parse(readFileSync(FILE, 'utf8')) as { examples: Example[] }).examples;

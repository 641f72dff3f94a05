import type { SecretText } from '#kernel/crypto/secret-text';
import type { PricingModel } from '#libs/billing';
import type { ContactDetails, CustomerDetails } from '#libs/customers';
import type { PartnerType } from '#libs/partners';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LedgerEventType } from '../../domain/ledger-event.js';
import type { LicenseState } from '../../domain/license-state.js';

export const LINE_TYPES = ['partner', 'contract', 'customer', 'contact', 'license', 'event', 'transfer'] as const;

export type LineType = (typeof LINE_TYPES)[number];

interface Line<T extends LineType> {
  readonly type: T;
  /** Counted from 1. */
  readonly line: number;
  /** The name of the line among those of its type; null for events and transfers without one. */
  readonly ref: string | null;
  /** SHA-256 of the line's contents, in hexadecimal digits. */
  readonly hash: string;
}

export interface PartnerLine extends Line<'partner'> {
  readonly name: string;
  readonly partnerType: PartnerType;
  readonly parentRef?: string;
  readonly parentId?: Uuid;
  readonly createdAt?: Date;
}

export interface ContractLine extends Line<'contract'> {
  readonly partnerRef?: string;
  readonly partnerId?: Uuid;
  readonly reference: string;
  readonly model: PricingModel;
  readonly currency: string;
  readonly unitPriceCents: number;
  readonly validFrom: BillingDate;
  readonly validTo: BillingDate | null;
  readonly licenseCap: number | null;
  readonly packSize: number | null;
  readonly editions: readonly string[];
  readonly createdAt?: Date;
}

export interface CustomerLine extends Line<'customer'>, CustomerDetails {
  readonly partnerRef?: string;
  readonly partnerId?: Uuid;
  readonly createdAt?: Date;
}

export interface ContactLine extends Line<'contact'>, ContactDetails {
  readonly customerRef?: string;
  readonly customerId?: Uuid;
  readonly createdAt?: Date;
}

export interface LicenseLine extends Line<'license'> {
  readonly partnerRef?: string;
  readonly partnerId?: Uuid;
  readonly customerRef?: string;
  readonly customerId?: Uuid;
  readonly contractRef?: string;
  readonly contractId?: Uuid;
  readonly upstreamLicenseId?: Uuid;
  readonly edition: string;
  /** Never leaves the staging tables, and is sealed there. */
  readonly key?: SecretText;
  /** Hash of the key, in hexadecimal digits. */
  readonly keyHash?: string;
  readonly keyMasked: string;
  /** The current state. */
  readonly state: LicenseState;
  readonly issuedAt: Date;
  readonly terminatedAt?: Date;
  readonly suspendedAt?: Date;
  readonly expiredAt?: Date;
  readonly externalBillingRef: string;
}

export interface EventLine extends Line<'event'> {
  readonly licenseRef?: string;
  readonly licenseId?: Uuid;
  readonly event: LedgerEventType;
  readonly at: Date;
  readonly actor?: string;
}

export interface TransferLine extends Line<'transfer'> {
  readonly licenseRef?: string;
  readonly licenseId?: Uuid;
  readonly toPartnerRef?: string;
  readonly toPartnerId?: Uuid;
  readonly toCustomerRef?: string;
  readonly toCustomerId?: Uuid;
  readonly toContractRef?: string;
  readonly toContractId?: Uuid;
  readonly effectiveDate: BillingDate;
  readonly reason: string;
  /** When it was recorded. */
  readonly createdAt?: Date;
}

export type ImportLine =
  PartnerLine | ContractLine | CustomerLine | ContactLine | LicenseLine | EventLine | TransferLine;

/** An invalid field; `message` begins with its name and never shows a key. */
export interface LineProblem {
  readonly line: number;
  readonly message: string;
}

/** One parsed line of the file, or its problems. */
export type ReadLine =
  | { readonly bytes: number; readonly line: ImportLine }
  | {
      readonly bytes: number;
      readonly problems: readonly LineProblem[];
      /** The names by which other lines may refer to it, so that they are not reported as well. */
      readonly name: { readonly type: LineType; readonly ref: string } | null;
    };

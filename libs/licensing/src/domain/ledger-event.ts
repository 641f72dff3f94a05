import type { Uuid } from '#kernel/crypto/uuid';

export const LEDGER_EVENT_TYPES = [
  'license.issued',
  'license.suspended',
  'license.resumed',
  'license.terminated',
  'license.transferred_in',
  'license.transferred_out',
  'license.edition_changed',
  'license.expired',
  'license.trial_converted',
] as const;

export type LedgerEventType = (typeof LEDGER_EVENT_TYPES)[number];

/** Flat, so that sorting its keys gives one canonical text, which the hash covers. */
export type LedgerData = Readonly<Record<string, string>>;

/** A fact about a license, before it has a position in the ledger. */
export interface LedgerFact {
  readonly event: LedgerEventType;
  readonly at: Date;
  /** Partner id of the calling token, e-mail of a signed-in person, null for the system. */
  readonly actor: string | null;
  /** The customer at that time; null only for facts from before customers existed. */
  readonly customerId: Uuid | null;
  readonly data: LedgerData;
}

import type { LicenseHistory, RecordedTransfer } from '../domain/ownership/ownership-span.js';
import { day } from './days.js';
import { idOf } from './ids.js';

export interface NamedHistory extends LicenseHistory {
  readonly name: string;
}

interface LicenseFacts {
  name?: string;
  /** Contract of issue. */
  on?: string;
  issued?: string;
  terminated?: string | null;
  /** `[effective day, contract]` in the order in which they were recorded. */
  moves?: readonly (readonly [string, string])[];
}

/** A license `l1` on contract `cA` since 2020-01-01, unless the facts say otherwise. */
export function aLicense(facts: LicenseFacts = {}): NamedHistory {
  const { name = 'l1', on = 'cA', issued = '2020-01-01', terminated = null, moves = [] } = facts;
  const transfers = moves.map(([effective, to], index): RecordedTransfer => ({
    effectiveDate: day(effective),
    recordedOrder: index + 1,
    toContractId: idOf(to),
  }));
  const terminatedOn = terminated === null ? null : day(terminated);
  return { name, contractId: idOf(on), issuedOn: day(issued), terminatedOn, transfers };
}

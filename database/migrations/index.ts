import { Platform1767225600000 } from './1767225600000-platform.js';
import { Partners1767225601000 } from './1767225601000-partners.js';
import { Tokens1767225602000 } from './1767225602000-tokens.js';
import { Customers1767225603000 } from './1767225603000-customers.js';
import { CustomerSearch1767225603500 } from './1767225603500-customer-search.js';
import { CustomerListMarks1767225603600 } from './1767225603600-customer-list-marks.js';
import { BillingContracts1767225604000 } from './1767225604000-billing-contracts.js';
import { Licensing1767225605000 } from './1767225605000-licensing.js';
import { KeyHandovers1767225605500 } from './1767225605500-key-handovers.js';
import { LicenseService1767225606000 } from './1767225606000-license-service.js';
import { Import1767225607000 } from './1767225607000-import.js';
import { KeptKeys1767225607500 } from './1767225607500-kept-keys.js';
import { BillingStatements1767225608000 } from './1767225608000-billing-statements.js';
import { PanelAuth1767225720000 } from './1767225720000-panel-auth.js';
import { Services1767225730000 } from './1767225730000-services.js';
import { ServiceFeed1767225731000 } from './1767225731000-service-feed.js';
import { Monitoring1767225732000 } from './1767225732000-monitoring.js';
import { OrganisationQuotas1767225733000 } from './1767225733000-organisation-quotas.js';
import { LicenseStates1767225734000 } from './1767225734000-license-states.js';
import { WholeWrites1767225735000 } from './1767225735000-whole-writes.js';
import { LeanBirths1767225736000 } from './1767225736000-lean-births.js';
import { LeanReservations1767225737000 } from './1767225737000-lean-reservations.js';
import { ReservationsByKey1767225738000 } from './1767225738000-reservations-by-key.js';
import { SpareReservations1767225739000 } from './1767225739000-spare-reservations.js';

/** Every migration, oldest first. */
export const migrations = [
  Platform1767225600000,
  Partners1767225601000,
  Tokens1767225602000,
  Customers1767225603000,
  CustomerSearch1767225603500,
  CustomerListMarks1767225603600,
  BillingContracts1767225604000,
  Licensing1767225605000,
  KeyHandovers1767225605500,
  LicenseService1767225606000,
  Import1767225607000,
  KeptKeys1767225607500,
  BillingStatements1767225608000,
  PanelAuth1767225720000,
  Services1767225730000,
  ServiceFeed1767225731000,
  Monitoring1767225732000,
  OrganisationQuotas1767225733000,
  LicenseStates1767225734000,
  WholeWrites1767225735000,
  LeanBirths1767225736000,
  LeanReservations1767225737000,
  ReservationsByKey1767225738000,
  SpareReservations1767225739000,
];

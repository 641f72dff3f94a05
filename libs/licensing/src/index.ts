export { LicensingModule } from './licensing.module.js';
export {
  ActivityQueries,
  type ActivityEvent,
  type ActivityFilter,
  type ActivityPage,
  type ActivitySummary,
} from './application/ledger/activity-queries.js';
export { HistoryImport, type ImportProgress, type ImportReport } from './application/import/history-import.js';
export { LINE_TYPES, type LineType } from './application/import/import-line.js';
export { readJsonLines } from './infrastructure/import/json-lines.js';
export { KeptKeys } from './application/ports/kept-keys.js';
export { KeyHandovers } from './application/keys/key-handovers.js';
export { LedgerVerification, type LedgerReport } from './application/ledger/ledger-verification.js';
export type { Actor } from './application/actor.js';
export type { IssuedLicense } from './application/issuing/license-activation.js';
export { LicenseChanges } from './application/changes/license-changes.js';
export { LicenseIssuing } from './application/issuing/license-issuing.js';
export {
  LicenseQueries,
  TransferQueries,
  type LicenseFilter,
  type TransferFilter,
} from './application/license-queries.js';
export { LicenseReconciliation } from './application/upstream/license-reconciliation.js';
export { ListMarks } from './application/ports/list-marks.js';
export { StaffTransfers } from './application/transfers/staff-transfers.js';
export { LicenseTransfers } from './application/transfers/license-transfers.js';
export type { LicenseView } from './application/license-view.js';
export { TrialExpiry } from './application/changes/trial-expiry.js';
export { UpstreamSync } from './application/upstream/upstream-sync.js';
export type { TransferView } from './application/transfers/transfer-view.js';
export { LEDGER_EVENT_TYPES } from './domain/ledger-event.js';
export { LICENSE_STATES, type LicenseState } from './domain/license-state.js';
export { METADATA_SYNC_STATES, type MetadataSync } from './domain/transfer.js';
export { LicenseService, type UpstreamLicense } from './application/ports/license-service.js';
export { Editions } from './domain/editions.js';
export { editionUnknown } from './domain/licensing-errors.js';
export { assertNotInFuture } from './domain/ownership.js';
export {
  LicenseServiceModule,
  LicenseValidationModule,
} from './infrastructure/license-service/license-service.module.js';
export {
  keygenOptions,
  licenseServiceSettings,
  refuseHalfKeygen,
  type KeygenOptions,
  type LicenseServiceSettings,
} from './infrastructure/license-service/license-service-settings.js';
export {
  LicenseValidation,
  type SignedLicenseState,
} from './infrastructure/license-service/local/license-validation.js';
export { SigningKeys, type PublicJwk } from './infrastructure/license-service/local/signing-keys.js';
export { STATE_CODES, type StateCode } from './infrastructure/license-service/local/state-document.js';
export { checkKeygenEditions, type EditionCheck } from './infrastructure/license-service/keygen/keygen-check.js';

export { BillingModule } from './billing.module.js';
export { ContractImport } from './application/contract-import.js';
export { Contracts, type ContractEndListener, type ContractTerms } from './application/contracts.js';
export { LateFacts } from './application/late-facts.js';
export {
  BillableLicenseSource,
  type BillableContract,
  type DayCount,
} from './application/ports/billable-license-source.js';
export { LedgerEvidence, type LedgerLink, type LedgerStatement } from './application/ports/ledger-evidence.js';
export type { StoredLine } from './application/ports/figures-store.js';
export { StatementProof } from './application/statement-proof.js';
export { StatementQueries, type StatementExport } from './application/statement-queries.js';
export { StatementTotals } from './application/statement-totals.js';
export { StatementService, type StatementOutcome } from './application/statement-service.js';
export type { StatementView } from './application/statement-view.js';
export { UsageRecomputation } from './application/usage-recomputation.js';
export { BillingWindow } from './domain/ownership/billing-window.js';
export { BillingContract } from './domain/contracts/contract.js';
export type { ContractState } from './domain/contracts/contract-terms.js';
export {
  drawingSpans,
  NEVER,
  ownershipSpans,
  type LicenseHistory,
  type OwnershipSpan,
} from './domain/ownership/ownership-span.js';
export { PRICING_MODELS, type PricingModel } from './domain/contracts/pricing-model.js';
export type { BillableSpan } from './domain/statements/statement-calculator.js';
export { EXPORT_FORMATS, isExportFormat, type ExportFormat } from './domain/statements/statement-file.js';
export type { StatementStatus } from './domain/statements/statement.js';

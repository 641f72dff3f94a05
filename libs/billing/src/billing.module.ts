import { Module } from '@nestjs/common';
import { PartnersModule } from '#libs/partners';
import { ContractImport } from './application/contract-import.js';
import { Contracts } from './application/contracts.js';
import { LateFacts } from './application/late-facts.js';
import { ContractRepository } from './application/ports/contract-repository.js';
import { FiguresStore } from './application/ports/figures-store.js';
import { PartnerBooks } from './application/ports/partner-books.js';
import { StatementRepository } from './application/ports/statement-repository.js';
import { StatementComputation } from './application/statement-computation.js';
import { StatementDigests } from './application/statement-digests.js';
import { StatementProof } from './application/statement-proof.js';
import { StatementQueries } from './application/statement-queries.js';
import { StatementTotals } from './application/statement-totals.js';
import { StatementService } from './application/statement-service.js';
import { UsageRecomputation } from './application/usage-recomputation.js';
import { SqlFiguresStore } from './infrastructure/sql-figures-store.js';
import { SqlPartnerBooks } from './infrastructure/sql-partner-books.js';
import { SqlStatementRepository } from './infrastructure/sql-statement-repository.js';
import { SqlContractImport } from './infrastructure/sql-contract-import.js';
import { TypeOrmContractRepository } from './infrastructure/typeorm-contract-repository.js';

/** Requires the facts of licensing, which `LicensingModule` provides globally. */
@Module({
  imports: [PartnersModule],
  providers: [
    Contracts,
    LateFacts,
    StatementComputation,
    StatementDigests,
    StatementProof,
    StatementQueries,
    StatementService,
    StatementTotals,
    UsageRecomputation,
    { provide: ContractRepository, useClass: TypeOrmContractRepository },
    { provide: ContractImport, useClass: SqlContractImport },
    { provide: FiguresStore, useClass: SqlFiguresStore },
    { provide: PartnerBooks, useClass: SqlPartnerBooks },
    { provide: StatementRepository, useClass: SqlStatementRepository },
  ],
  exports: [
    Contracts,
    ContractImport,
    LateFacts,
    StatementProof,
    StatementQueries,
    StatementService,
    StatementTotals,
    UsageRecomputation,
  ],
})
export class BillingModule {}

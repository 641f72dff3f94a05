import { Module } from '@nestjs/common';
import { PartnerImport } from './application/partner-import.js';
import { Partners } from './application/partners.js';
import { PartnerRepository } from './application/ports/partner-repository.js';
import { PartnerTree } from './application/ports/partner-tree.js';
import { TreeChanges } from './application/tree-changes.js';
import { SqlPartnerImport } from './infrastructure/sql-partner-import.js';
import { SqlPartnerTree } from './infrastructure/sql-partner-tree.js';
import { TypeOrmPartnerRepository } from './infrastructure/typeorm-partner-repository.js';

@Module({
  providers: [
    Partners,
    TreeChanges,
    { provide: PartnerRepository, useClass: TypeOrmPartnerRepository },
    { provide: PartnerTree, useClass: SqlPartnerTree },
    { provide: PartnerImport, useClass: SqlPartnerImport },
  ],
  exports: [Partners, PartnerTree, TreeChanges, PartnerImport],
})
export class PartnersModule {}

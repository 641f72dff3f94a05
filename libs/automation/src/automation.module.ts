import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { KeyRing } from '#platform/key-ring';
import { ChangePlans } from './application/change-plans.js';
import { ChangePlanRepository } from './application/ports/change-plan-repository.js';
import { SealedChangePlanRepository } from './infrastructure/sealed-change-plan-repository.js';

/** Needs the database, which is global. */
@Module({})
export class AutomationModule {
  static forRoot(keyRing: KeyRing): DynamicModule {
    return {
      module: AutomationModule,
      providers: [
        {
          provide: ChangePlanRepository,
          inject: [TypeOrmTransactions],
          useFactory: (transactions: TypeOrmTransactions) => new SealedChangePlanRepository(transactions, keyRing),
        },
        ChangePlans,
      ],
      exports: [ChangePlans],
    };
  }
}

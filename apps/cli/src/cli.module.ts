import { Module, type DynamicModule } from '@nestjs/common';
import { entities } from '#database/entities';
import { migrations } from '#database/migrations/index';
import type { Clock } from '#kernel/time/clock';
import { ClockModule } from '#platform/clock.module';
import { DatabaseModule } from '#platform/database/database.module';
import type { StaffSettings } from './cli.config.js';
import type { Side } from './sides/side.js';

/** The application of a staff command: the clock, the database and a side of the product. */
@Module({})
export class CliModule {
  static forSide<S extends StaffSettings>(side: Side<S>, settings: S, clock?: Clock): DynamicModule {
    return {
      module: CliModule,
      imports: [
        ClockModule.forRoot(clock),
        DatabaseModule.forRoot({
          url: settings.DATABASE_URL,
          poolSize: 4,
          applicationName: 'tenantry-cli',
          entities,
          migrations,
        }),
        ...side.modules(settings),
      ],
    };
  }
}

import { Module, type DynamicModule } from '@nestjs/common';
import { Clock, SystemClock } from '#kernel/clock';
import { Randomness, SystemRandomness } from '#kernel/randomness';

/** Time and chance as ports; tests give their own clock. */
@Module({})
export class ClockModule {
  static forRoot(clock: Clock = new SystemClock()): DynamicModule {
    return {
      module: ClockModule,
      global: true,
      providers: [
        { provide: Clock, useValue: clock },
        { provide: Randomness, useClass: SystemRandomness },
      ],
      exports: [Clock, Randomness],
    };
  }
}

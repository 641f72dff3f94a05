import { Module, type DynamicModule } from '@nestjs/common';
import { Clock, SystemClock } from '#kernel/time/clock';
import { Randomness, SystemRandomness } from '#kernel/crypto/randomness';

/** Time and randomness as ports; tests provide their own clock. */
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

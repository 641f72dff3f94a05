import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { HOUSEKEEPING_QUEUE, Readiness } from './readiness.js';

@Module({
  imports: [TerminusModule.forRoot({ logger: false }), BullModule.registerQueue({ name: HOUSEKEEPING_QUEUE })],
  providers: [Readiness],
  exports: [Readiness, BullModule],
})
export class ReadinessModule {}

/** The same over HTTP: `/healthz` and `/readyz`. */
@Module({ imports: [ReadinessModule], controllers: [HealthController] })
export class HealthModule {}

import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { SystemClock } from '#kernel/time/clock';
import { assertNotAhead } from '#platform/database/connections/clock-gate';
import { createLogger, NestPinoLogger } from '#platform/logging';
import type { StaffSettings } from './cli.config.js';
import { CliModule } from './cli.module.js';
import type { Side } from './sides/side.js';
import type { Terminal } from './terminal/terminal.js';

/**
 * Starts the application services of a side for one command.
 * @throws StartRefused if the clock of this machine is ahead of the database's clock
 */
export async function startApplication<S extends StaffSettings>(
  side: Side<S>,
  settings: S,
  { clock, err }: Terminal,
): Promise<INestApplicationContext> {
  const logger = new NestPinoLogger(createLogger('cli', settings.LOG_LEVEL, err));
  const app = await NestFactory.createApplicationContext(CliModule.forSide(side, settings, clock), {
    logger,
    abortOnError: false,
  });
  try {
    // An injected clock does not show the time of this machine.
    if (!clock) await assertNotAhead(new SystemClock(), app.get(DataSource, { strict: false }));
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createLogger, NestPinoLogger } from '#platform/logging';
import type { StaffSettings } from './cli.config.js';
import { CliModule } from './cli.module.js';
import type { Side } from './sides/side.js';
import type { Terminal } from './terminal.js';

/** The application services of a side, for one command. */
export function startApplication<S extends StaffSettings>(
  side: Side<S>,
  settings: S,
  { clock, err }: Terminal,
): Promise<INestApplicationContext> {
  const logger = new NestPinoLogger(createLogger('cli', settings.LOG_LEVEL, err));
  return NestFactory.createApplicationContext(CliModule.forSide(side, settings, clock), {
    logger,
    abortOnError: false,
  });
}

import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import { logOutput } from './log-output.js';

/** Fields that may contain a secret anywhere in a logged object. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'key',
  'password',
  'secret',
  'client_secret',
  'code_verifier',
  'composeYaml',
  'environment',
  'deploy_key',
];

const paths = SECRET_FIELDS.flatMap((field) => {
  const name = /^\w+$/.test(field) ? field : `["${field}"]`;
  return ['', '*.', '*.*.', '*.*.*.'].map((prefix) =>
    name.startsWith('[') ? `${prefix.slice(0, -1)}${name}` : `${prefix}${name}`,
  );
});

const MAX_CAUSE_DEPTH = 5;

/**
 * An error as it may be logged: its message and stack. Other properties are left out: a database error carries the
 * parameters of the statement, an HTTP error whole requests and responses.
 */
function errorInWords(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : typeof error;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    stack: error.stack,
    ...(error.cause !== undefined && depth < MAX_CAUSE_DEPTH && { cause: errorInWords(error.cause, depth + 1) }),
  };
}

/** JSON lines on stdout. `process` names the program, because several may share one log stream. */
export function createLogger(process: string, level: string, destination?: NodeJS.WritableStream): Logger {
  const options = {
    level,
    base: { process },
    timestamp: isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorInWords },
    redact: { paths, censor: '[redacted]' },
  };
  return pino(options, destination ?? logOutput);
}

let second = { startsAt: Number.NaN, text: '' };

/** pino's own `isoTime`, but the date is formatted once a second instead of for each line. */
function isoTime(): string {
  const now = Date.now();
  const ms = now % 1000;
  const startsAt = now - ms;
  if (startsAt !== second.startsAt) second = { startsAt, text: new Date(startsAt).toISOString().slice(0, 20) };
  return `,"time":"${second.text}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z"`;
}

/** Nest's own lines in the same stream; its start-up messages are debug. */
export class NestPinoLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: rest.at(-1) }, String(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ context: rest.at(-1) }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error({ context: rest.at(-1), err: message instanceof Error ? message : undefined }, String(message));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: rest.at(-1) }, String(message));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.logger.trace({ context: rest.at(-1) }, String(message));
  }
}

/** The parts of PostgreSQL's errors that we evaluate. */
interface PostgresFailure {
  readonly code: string;
  readonly constraint?: string;
}

/** The error and the errors it wraps, outermost first. */
function* chainOf(error: unknown): Generator<Record<string, unknown>> {
  let link = error;
  while (typeof link === 'object' && link !== null) {
    const current = link as Record<string, unknown>;
    yield current;
    link = current.driverError ?? current.cause;
  }
}

/** The server's own error inside an error of the driver or of TypeORM; null if the server sent none. */
function postgresFailure(error: unknown): PostgresFailure | null {
  for (const link of chainOf(error)) {
    if (typeof link.code === 'string' && /^[0-9A-Z]{5}$/.test(link.code))
      return { code: link.code, constraint: link.constraint as string | undefined };
  }
  return null;
}

/** True if `error` is a violation of the named unique, exclusion, foreign-key or check constraint. */
export function violates(error: unknown, constraint: string): boolean {
  const failure = postgresFailure(error);
  return failure !== null && failure.code.startsWith('23') && failure.constraint === constraint;
}

/** True if a statement did not find all rows that it had to change: see `requireAllRows`. */
export function isIncomplete(error: unknown): boolean {
  return postgresFailure(error)?.code === 'TN001';
}

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
const CONNECTION_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end|not queryable|query runner (was )?already released/i;

/**
 * True if the database could not be reached or lacked resources: the same call may succeed later. Classes 08
 * (connection), 53 (resources) and 57 (operator intervention, including shutdown and statement timeout).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const failure = postgresFailure(error);
  if (failure && /^(08|53|57)/.test(failure.code)) return true;
  for (const link of chainOf(error)) {
    if (NETWORK_CODES.has(String(link.code)) || CONNECTION_MESSAGES.test(String(link.message))) return true;
    if (Array.isArray(link.errors) && link.errors.some((part) => isDatabaseUnavailable(part))) return true;
  }
  return false;
}

/** The server's message if it refused the connection: wrong user, password or database; null for any other error. */
export function accessRefusal(error: unknown): string | null {
  if (!/^(28|3D)/.test(postgresFailure(error)?.code ?? '')) return null;
  for (const { message } of chainOf(error)) return String(message);
  return null;
}

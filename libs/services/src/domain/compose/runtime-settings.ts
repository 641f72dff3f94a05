import type { ExtraHost, Healthcheck, LogConfig, RestartPolicy, Ulimit } from '../service-plan.js';
import type { ComposeHealthcheck, ComposeService, Numeric, OneOrMore } from './compose-file.js';
import { isHostScopedAddress, isIpAddress } from './values/ip-address.js';
import type { Place } from './place.js';
import { readBytes, readDuration, readList, readNumber, readTexts, readTruth, textOf } from './readers.js';
import { isSignal } from './values/stop-signal.js';
import { MEBIBYTE } from './values/units.js';

/** The engine counts nanoseconds in 64 bits, so 2^63 - 1 of them are the maximum. */
const MAX_TIMING_MS = 9_223_372_036_854;
const MAX_STOP_GRACE_MS = 10 * 60_000;
const MAX_LOG_BYTES = 50 * MEBIBYTE;
const MAX_LOG_FILES = 5;
const DEFAULT_LOG: LogConfig = { driver: 'json-file', maxSizeBytes: 10 * MEBIBYTE, maxFiles: 3 };

export function readHealthcheck(check: ComposeHealthcheck | undefined, place: Place): Healthcheck | null {
  if (check === undefined) return null;
  const timings = {
    intervalMs: readTiming(check.interval, place.at('interval')),
    timeoutMs: readTiming(check.timeout, place.at('timeout')),
    startPeriodMs: readTiming(check.start_period, place.at('start_period')),
    startIntervalMs: readTiming(check.start_interval, place.at('start_interval')),
    retries: readNumber(check.retries),
  };
  if (!readTruth(check.disable)) return { test: readTest(check.test, place.at('test')), ...timings };
  if (check.test !== undefined) place.at('test').warn('without_effect', 'The health check is disabled.');
  return { test: ['NONE'], ...timings };
}

function readTiming(text: string | undefined, place: Place): number | null {
  const durationMs = readDuration(text);
  if (durationMs !== null && durationMs > MAX_TIMING_MS) place.refuse('At most 292 years.');
  return durationMs;
}

function readTest(test: OneOrMore | undefined, place: Place): readonly string[] | null {
  if (test === undefined) return null;
  if (typeof test === 'string') return ['CMD-SHELL', test];
  const words = readTexts(test, place);
  const [kind] = words;
  const fits =
    (kind === 'NONE' && words.length === 1) ||
    (kind === 'CMD' && words.length > 1) ||
    (kind === 'CMD-SHELL' && words.length === 2);
  if (!fits) place.refuse('The list must begin with NONE, CMD or CMD-SHELL, followed by the command.');
  return words;
}

export function readRestart(text: string | undefined): RestartPolicy {
  const [name = 'no', retries = '0'] = (text === undefined || text === '' ? 'no' : text).split(':');
  return { name: name as RestartPolicy['name'], maximumRetries: Number(retries) };
}

export function readStopGrace(text: string | undefined, place: Place): number | null {
  const graceMs = readDuration(text);
  if (graceMs !== null && graceMs > MAX_STOP_GRACE_MS) place.refuse('At most ten minutes.');
  return graceMs;
}

export function readStopSignal(value: Numeric | undefined, place: Place): string | null {
  const signal = textOf(value);
  if (signal !== null && !isSignal(signal)) place.refuse('It must be a signal such as SIGTERM, SIGRTMIN+3 or 15.');
  return signal;
}

const COUNTED_LIMITS: Readonly<Record<string, number>> = {
  nofile: 1_048_576,
  nproc: 65_536,
  sigpending: 65_536,
  locks: 65_536,
};
const SIZED_LIMITS = ['core', 'cpu', 'data', 'fsize', 'memlock', 'rss', 'stack'];

/** Limits for priorities and message queues are refused, because they reach beyond the container. */
export function readUlimits(ulimits: ComposeService['ulimits'], place: Place): readonly Ulimit[] {
  return Object.entries(ulimits ?? {}).map(([name, value]) => {
    const at = place.at(name);
    const highest = Object.hasOwn(COUNTED_LIMITS, name) ? COUNTED_LIMITS[name] : undefined;
    if (highest === undefined && !SIZED_LIMITS.includes(name)) at.forbid('This limit cannot be set by a container.');
    const bounds = typeof value === 'object' ? value : { soft: value, hard: value };
    // The schema has refused a missing bound.
    const isWhole = bounds.soft !== undefined && bounds.hard !== undefined;
    const soft = Number(bounds.soft ?? 0);
    const hard = Number(bounds.hard ?? 0);
    if (isWhole && hard !== -1 && (soft > hard || soft === -1)) at.refuse('The soft limit is above the hard one.');
    if (highest !== undefined && (hard > highest || hard === -1)) at.forbid(`At most ${highest}.`);
    return { name, soft, hard };
  });
}

/** Reads `host:address`, `host=address` and mappings. `host-gateway` is refused, because it is the host's address. */
export function readExtraHosts(value: ComposeService['extra_hosts'], place: Place): readonly ExtraHost[] {
  const entries = Array.isArray(value)
    ? readList<string>(value as readonly string[], place).map(({ item, place: at }) => {
        const parts = /^([^:=]+)[:=](.*)$/.exec(item);
        return { host: parts?.[1] ?? '', address: parts?.[2] ?? '', at };
      })
    : Object.entries((value ?? {}) as Readonly<Record<string, OneOrMore>>).flatMap(([host, addresses]) =>
        readList<string>(addresses, place.at(host)).map(({ item, place: at }) => ({ host, address: item, at })),
      );
  return entries.flatMap(({ host, address, at }) => {
    const ip = address.replace(/^\[(.*)\]$/, '$1');
    if (address === 'host-gateway') at.forbid('The host is not reachable by name.');
    else if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}$/.test(host) || !isIpAddress(ip)) at.refuse('Write host:address.');
    else return [{ host, ip }];
    return [];
  });
}

export function readDns(value: ComposeService['dns'], place: Place): readonly string[] {
  return readList<string>(value, place).flatMap(({ item, place: at }) => {
    if (!isIpAddress(item)) at.refuse('A DNS server must be an IP address.');
    else if (isHostScopedAddress(item)) at.forbid('This address belongs to the host, not to a resolver.');
    else return [item];
    return [];
  });
}

/** Allows only drivers that keep logs on the engine. Other drivers would send them from the host's own network. */
export function readLogging(logging: ComposeService['logging'], place: Place): LogConfig {
  const driver = logging?.driver ?? DEFAULT_LOG.driver;
  const maxSizeBytes = readBytes(logging?.options?.['max-size']) ?? DEFAULT_LOG.maxSizeBytes;
  const maxFiles = readNumber(logging?.options?.['max-file']) ?? DEFAULT_LOG.maxFiles;
  if (driver !== 'json-file' && driver !== 'local') {
    place.at('driver').forbid('The logging driver must be json-file or local.');
    return DEFAULT_LOG;
  }
  if (maxSizeBytes < 1 || maxSizeBytes > MAX_LOG_BYTES)
    place.at('options', 'max-size').refuse('At most 50m, and not 0.');
  if (maxFiles < 1 || maxFiles > MAX_LOG_FILES) place.at('options', 'max-file').refuse('From 1 to 5 files.');
  return { driver, maxSizeBytes, maxFiles };
}

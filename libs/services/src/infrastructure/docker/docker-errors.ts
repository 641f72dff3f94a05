import {
  ContainerCreateFailed,
  ContainerStartFailed,
  DiskFull,
  EngineUnavailable,
  ImagePullFailed,
  PortConflict,
  type PullFailure,
} from '../../application/ports/engine/container-runtime-errors.js';
import { RegistryFailed } from '../../application/ports/git/image-registry.js';

const MAX_MESSAGE_LENGTH = 300;

/** The engine refused a request. `status` is the HTTP status of its API. */
export class EngineRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'EngineRefusal';
  }
}

export function isRefusal(error: unknown, status: number): error is EngineRefusal {
  return error instanceof EngineRefusal && error.status === status;
}

/** Converts an error of dockerode. With a status it is the engine's answer; without one the engine did not answer. */
export function refusalOrUnavailable(error: unknown): EngineRefusal | EngineUnavailable {
  const { statusCode, json, message, code } = error as {
    statusCode?: number;
    json?: { message?: unknown } | null;
    message?: string;
    code?: string;
  };
  if (statusCode === undefined) {
    return new EngineUnavailable(`No Docker engine is responding (${code ?? message}).`, { cause: error });
  }
  const told =
    typeof json?.message === 'string' ? json.message : (message ?? '').replace(/^\(HTTP code .*?\) .*? - /, '');
  return new EngineRefusal(statusCode, shortened(told), { cause: error });
}

/** For calls without specific failures. A refusal means that the engine is unusable. */
export function unexpected(error: unknown): unknown {
  if (!(error instanceof EngineRefusal)) return error;
  return fullDisk(error) ?? new EngineUnavailable(`The Docker engine refused: ${error.message}`, { cause: error });
}

export function createFailure(error: unknown): unknown {
  if (!(error instanceof EngineRefusal)) return error;
  // Independent of the plan. The engine uses several statuses for it.
  if (/not a swarm manager/.test(error.message)) return unexpected(error);
  return (
    fullDisk(error) ?? new ContainerCreateFailed(`The container cannot be created: ${error.message}`, { cause: error })
  );
}

export function startFailure(error: unknown): unknown {
  if (!(error instanceof EngineRefusal)) return error;
  if (/port is already allocated|address already in use/i.test(error.message)) {
    const address = /(?:bind for|listen \w+) ([\d.:[\]a-f]+)/i.exec(error.message)?.[1];
    return new PortConflict(`The port${address ? ` ${address.replace(/:$/, '')}` : ''} is already in use.`, {
      cause: error,
    });
  }
  return fullDisk(error) ?? new ContainerStartFailed(`The container cannot start: ${error.message}`, { cause: error });
}

/** @param image the reference as the user knows it */
export function pullFailure(image: string, error: unknown): unknown {
  if (!(error instanceof EngineRefusal)) return error;
  const full = fullDisk(error);
  if (full) return full;
  const reason = pullFailureReason(error.message);
  return new ImagePullFailed(reason, `${image}: ${PULL_TEXT[reason] ?? shortened(error.message)}`, { cause: error });
}

/** @param registry the registry of built images */
export function pushFailure(registry: string, error: unknown): unknown {
  if (!(error instanceof EngineRefusal)) return error;
  const full = fullDisk(error);
  if (full) return full;
  const reason = pullFailureReason(error.message);
  const options = { cause: error };
  if (reason === 'denied')
    return new RegistryFailed(
      'registry_denied',
      `The registry ${registry} refuses the image. Check BUILD_REGISTRY_USERNAME and BUILD_REGISTRY_PASSWORD.`,
      options,
    );
  if (reason === 'unreachable')
    return new RegistryFailed('registry_unreachable', `The registry ${registry} cannot be reached.`, options);
  return new RegistryFailed('registry_failed', `${registry}: ${shortened(error.message)}`, options);
}

const PULL_TEXT: Readonly<Record<PullFailure, string | null>> = {
  missing: 'the registry has no such image',
  denied: 'the registry refuses access, or has no such image',
  unreachable: 'the registry cannot be reached',
  rate_limited: "the registry's rate limit is reached",
  corrupt: 'the registry sent something other than requested',
  failed: null,
};

// The order matters: a registry that hides its images says "denied" and "does not exist" in one message.
const PULL_PATTERNS: readonly (readonly [PullFailure, RegExp])[] = [
  ['rate_limited', /toomanyrequests|too many requests|rate limit/i],
  ['corrupt', /verification failed|does not match|digest mismatch/i],
  ['denied', /denied|unauthorized|authentication required|no basic auth credentials|forbidden/i],
  ['missing', /manifest unknown|name unknown|not found|does not exist|no such image|no matching manifest/i],
  [
    'unreachable',
    /connection re|no such host|i\/o timeout|deadline exceeded|server misbehaving|unreachable|tls|x509|http response to https|\bEOF\b|bad gateway|status(?: code)?:? 5\d\d|internal server error|unexpected http code/i,
  ],
];

function pullFailureReason(message: string): PullFailure {
  return PULL_PATTERNS.find(([, pattern]) => pattern.test(message))?.[0] ?? 'failed';
}

function fullDisk(error: Error): DiskFull | null {
  if (!/no space left on device|disk quota exceeded/i.test(error.message)) return null;
  return new DiskFull('The disk of the Docker engine is full.', { cause: error });
}

function shortened(message: string): string {
  const line = message.trim().replace(/\s+/g, ' ');
  return line.length > MAX_MESSAGE_LENGTH ? `${line.slice(0, MAX_MESSAGE_LENGTH)}…` : line;
}

import { DomainError } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import type { StatusReason } from '../service-state.js';

export const FAILURE_CODES = [
  'validation_failed',
  'quota_exceeded',
  'clone_failed',
  'build_failed',
  'image_pull_failed',
  'image_label_rejected',
  'container_create_failed',
  'container_start_failed',
  'health_gate_failed',
  'volume_conflict',
  'port_conflict',
  'disk_full',
  'secret_undecryptable',
  'timeout',
  'interrupted',
  'cancelled',
  'docker_unavailable',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

const MAX_TEXT_LENGTH = 500;

/** Why a deployment did not succeed. The message is safe to show to users. */
export class DeployFailure extends DomainError {
  readonly kind = 'conflict';

  constructor(
    readonly code: FailureCode,
    message: string,
    options?: { cause?: unknown; quote?: string | null },
  ) {
    super(code, quoting(message, options?.quote ?? null), options);
    this.#said = message;
    this.quote = options?.quote ?? null;
  }

  readonly #said: string;
  /** Output of a container, appended to the message. It may contain secrets until `requoted` replaces it. */
  readonly quote: string | null;

  /** A copy with another quote, from which secrets were removed, or with none. */
  requoted(quote: string | null): DeployFailure {
    return new DeployFailure(this.code, this.#said, { cause: this.cause, quote });
  }

  /** `code: text`, as the deployment record shows it. */
  get errorMessage(): string {
    return errorMessage(this.code, this.message);
  }

  /**
   * Null for errors that say nothing about the deployment, such as a bug, an unreachable database or a worker that
   * shuts down. The deployment is retried then.
   */
  static of(error: unknown): DeployFailure | null {
    if (error instanceof DeployFailure) return error;
    if (!(error instanceof DomainError)) return null;
    return new DeployFailure(codeOf(error), error.message, { cause: error });
  }
}

function quoting(message: string, quote: string | null): string {
  return quote === null || quote === '' ? message : `${message.replace(/\.$/, '')}: ${quote}`;
}

export function errorMessage(code: FailureCode, text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `${code}: ${line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH)}…` : line}`;
}

/** The status reason of a service whose deployment failed. */
export function reasonOf(failure: DeployFailure, deploymentId: Uuid, at: Date): StatusReason {
  const message = failure.errorMessage.slice(failure.code.length + 2);
  return { code: failure.code, message, deploymentId, at };
}

/** The panel's own reason for an operation, which is stored as its `errorMessage`. Null if there is none. */
export function ownReasonOf(
  { errorMessage: stored, id }: { readonly errorMessage: string | null; readonly id: Uuid },
  at: Date,
): StatusReason | null {
  const code = failureCodeOf(stored);
  if (stored === null || code === null) return null;
  return { code, message: stored.slice(code.length + 2), deploymentId: id, at };
}

/** The code at the start of the text, or null if it starts with no known code. */
export function failureCodeOf(message: string | null): FailureCode | null {
  return FAILURE_CODES.find((code) => message?.startsWith(`${code}: `)) ?? null;
}

function codeOf({ slug, kind }: DomainError): FailureCode {
  const known = FAILURE_CODES.find((code) => code === slug);
  if (known) return known;
  return kind === 'invalid' ? 'validation_failed' : 'interrupted';
}

/** Whether the failure only says that the engine or a worker was unavailable, so that a retry makes sense. */
export function isPassing(code: FailureCode | null): boolean {
  return code === 'docker_unavailable' || code === 'interrupted';
}

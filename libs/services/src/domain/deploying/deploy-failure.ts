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

/** Why a deployment did not succeed, in words that may be shown. */
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
  /** What a container wrote, at the end of the message. It may hold secrets until it is `requoted`. */
  readonly quote: string | null;

  /** The same with another quote: one without secrets, or none. */
  requoted(quote: string | null): DeployFailure {
    return new DeployFailure(this.code, this.#said, { cause: this.cause, quote });
  }

  /** `code: text`, as the deployment record shows it. */
  get errorMessage(): string {
    return errorMessage(this.code, this.message);
  }

  /**
   * Null for what is no answer of ours: a fault in the program, a database that is away, a worker that ends. Nothing
   * is known then, and the deployment is taken up again.
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

/** Why a service failed with the deployment. */
export function reasonOf(failure: DeployFailure, deploymentId: Uuid, at: Date): StatusReason {
  const message = failure.errorMessage.slice(failure.code.length + 2);
  return { code: failure.code, message, deploymentId, at };
}

/** The panel's own reason for an operation, as its `errorMessage` tells it; null when it has none. */
export function ownReasonOf(
  { errorMessage: told, id }: { readonly errorMessage: string | null; readonly id: Uuid },
  at: Date,
): StatusReason | null {
  const code = failureCodeOf(told);
  if (told === null || code === null) return null;
  return { code, message: told.slice(code.length + 2), deploymentId: id, at };
}

/** Null for a text that begins with no known code. */
export function failureCodeOf(message: string | null): FailureCode | null {
  return FAILURE_CODES.find((code) => message?.startsWith(`${code}: `)) ?? null;
}

function codeOf({ slug, kind }: DomainError): FailureCode {
  const known = FAILURE_CODES.find((code) => code === slug);
  if (known) return known;
  return kind === 'invalid' ? 'validation_failed' : 'interrupted';
}

/** Failures that say nothing about the service, only that the engine or a worker was away: worth another try. */
export function isPassing(code: FailureCode | null): boolean {
  return code === 'docker_unavailable' || code === 'interrupted';
}

/** One place in a request that the API did not accept. `path` is a JSON pointer into the body. */
export interface ProblemDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** An error answer of the API, or the lack of any answer. */
export class Problem extends Error {
  constructor(
    /** The HTTP status; 0 when the panel did not answer. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly ProblemDetail[] = [],
    readonly requestId: string | null = null,
  ) {
    super(message);
  }

  /** What the API says about one field of the form, by its JSON pointer. */
  at(pointer: string): string | undefined {
    return this.details.find(({ path }) => path === pointer)?.message;
  }
}

export async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null);
  const error = isErrorBody(body) ? body.error : null;
  if (!error)
    return new Problem(
      response.status,
      'unreadable',
      `The panel gave an unexpected answer (${response.status}). Try again in a moment.`,
    );
  return new Problem(response.status, error.code, error.message, error.details ?? [], error.requestId ?? null);
}

interface ErrorBody {
  readonly error: { code: string; message: string; details?: ProblemDetail[]; requestId?: string };
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object';

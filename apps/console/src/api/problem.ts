/** One place in a request that the API did not accept. `path` is a JSON pointer into the body. */
export interface ProblemDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** An error answer of the API, or the lack of any answer. */
export class Problem extends Error {
  private readonly pointersOfFields = new Set<string>();

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

  /** What the API says about one field of the form, by its JSON pointer. The field is told without its name in the API. */
  at(pointer: string): string | undefined {
    this.pointersOfFields.add(pointer);
    const message = this.details.find(({ path }) => path === pointer)?.message;
    const name = `${pointer.slice(1).replaceAll('/', '.')} `;
    return message?.startsWith(name) ? capitalised(message.slice(name.length)) : message;
  }

  /** What no field has asked for: the notice below the fields of a form says it. */
  detailsElsewhere(): readonly ProblemDetail[] {
    return this.details.filter(({ path }) => !this.pointersOfFields.has(path));
  }
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

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

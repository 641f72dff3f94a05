/** `off` is a part that is not configured and not needed. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'failed' | 'off';
  readonly detail: string;
  /** What to do about it; empty when nothing is. */
  readonly cure: string;
}

export function ok(check: string, detail: string): Finding {
  return { check, state: 'ok', detail, cure: '' };
}

export function failed(check: string, detail: string, cure: string): Finding {
  return { check, state: 'failed', detail, cure };
}

export function off(check: string, detail: string, cure = ''): Finding {
  return { check, state: 'off', detail, cure };
}

/** The first line of an error; drivers put no password into theirs. */
export function reason(error: unknown): string {
  const message = error instanceof Error ? error.message || (error as { code?: string }).code : String(error);
  return String(message).split('\n', 1)[0] ?? '';
}

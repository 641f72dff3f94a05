/** The result of a check. `off`: not configured, and not needed. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'failed' | 'off';
  readonly detail: string;
  /** How to fix it. Empty if there is nothing to fix. */
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

/** The first line of an error. Database drivers do not put passwords into it. */
export function reason(error: unknown): string {
  const message = error instanceof Error ? error.message || (error as { code?: string }).code : String(error);
  return String(message).split('\n', 1)[0] ?? '';
}

export const SCOPES = ['read', 'write'] as const;

/** `read` allows GET; `write` allows everything `read` allows, plus POST, PATCH and DELETE. */
export type Scope = (typeof SCOPES)[number];

export function covers(held: Scope, needed: Scope): boolean {
  return held === 'write' || needed === 'read';
}

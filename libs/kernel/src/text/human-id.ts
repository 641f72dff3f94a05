const LETTERS = { customer: 'C', license: 'L', transfer: 'T', contact: 'P' } as const;

export type HumanIdKind = keyof typeof LETTERS;

/**
 * The short readable identifier of a record, `L-42`. Unique in the whole system and never changed; gaps are normal (it
 * comes from a database sequence). No API accepts it; staff use it to find a record.
 */
export function humanId(kind: HumanIdKind, number: number | string): string {
  return `${LETTERS[kind]}-${number}`;
}

/** The number in an identifier that somebody typed, `l-42`; null for anything else, including another kind's. */
export function numberInHumanId(kind: HumanIdKind, text: string): number | null {
  const [, letter, digits] = /^([CLTP])-([1-9]\d{0,14})$/i.exec(text.trim()) ?? [];
  return letter?.toUpperCase() === LETTERS[kind] ? Number(digits) : null;
}

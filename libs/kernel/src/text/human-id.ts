const LETTERS = { customer: 'C', license: 'L', transfer: 'T', contact: 'P' } as const;

export type HumanIdKind = keyof typeof LETTERS;

/**
 * The short readable identifier of a record, `L-42`. Unique in the whole system and never changed; gaps are normal
 * (it comes from a database sequence). Never accepted as input.
 */
export function humanId(kind: HumanIdKind, number: number | string): string {
  return `${LETTERS[kind]}-${number}`;
}

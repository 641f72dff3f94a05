export const MAX_REFERENCES = 10_000;
export const MAX_EXPANDED_CHARACTERS = 2 * 1024 * 1024;

/**
 * Limits the size that one file may reach by its variables. Without it, a few references to a value of 64 KB, copied by
 * a hundred aliases, could expand to gigabytes.
 */
export class ExpansionBudget {
  private references = 0;
  private characters = 0;
  private refused = false;

  /** @returns false once the total exceeds the budget, and for every later call */
  take(references: number, characters: number): boolean {
    this.references += references;
    this.characters += characters;
    return this.references <= MAX_REFERENCES && this.characters <= MAX_EXPANDED_CHARACTERS;
  }

  /** True for the first call only, so that the user gets one error. */
  isFirstRefusal(): boolean {
    const isFirst = !this.refused;
    this.refused = true;
    return isFirst;
  }
}

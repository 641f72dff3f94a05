export const MAX_REFERENCES = 10_000;
export const MAX_EXPANDED_CHARACTERS = 2 * 1024 * 1024;

/**
 * What the variables of one file may cost. A value of 64 KB named by two characters, copied by a hundred aliases,
 * would otherwise be gigabytes.
 */
export class ExpansionBudget {
  private references = 0;
  private characters = 0;
  private refused = false;

  /** @returns false when it is more than is left; then nothing more is given */
  take(references: number, characters: number): boolean {
    this.references += references;
    this.characters += characters;
    return this.references <= MAX_REFERENCES && this.characters <= MAX_EXPANDED_CHARACTERS;
  }

  /** True for one asker, the one who tells the user. */
  isFirstRefusal(): boolean {
    const isFirst = !this.refused;
    this.refused = true;
    return isFirst;
  }
}

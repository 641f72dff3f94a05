/** The commercial editions that this installation sells, in the order of its setting. */
export class Editions {
  constructor(readonly names: readonly string[]) {}

  has(edition: string): boolean {
    return this.names.includes(edition);
  }
}

export type TemplatePiece =
  | { readonly text: string }
  | { readonly secret: string }
  | { readonly variable: string; readonly operator: Operator; readonly operand: readonly TemplatePiece[] };

export type Operator = '' | '-' | ':-' | '+' | ':+' | '?' | ':?';

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SECRET = /\{secret:([A-Za-z0-9_.-]{0,128})\}/y;
/** The rule for the names of an organisation's secrets. */
const SECRET_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;
const OPERATOR = /:?[-+?]/y;
const MAX_NESTING = 10;

/**
 * Parses Compose's variable syntax: `$NAME`, `${NAME}`, `${NAME:-default}` and the other operators, nested defaults,
 * `$$` for a dollar sign, and our own `${secret:NAME}`.
 * @returns the pieces, or an error message if the text is not valid
 */
export function scanVariables(text: string): TemplatePiece[] | string {
  const scanner = new Scanner(text);
  try {
    return scanner.pieces(0);
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

class Unreadable extends Error {}

function secretName(name: string): string {
  if (SECRET_NAME.test(name)) return name;
  throw new Unreadable(`No secret can be called "${name}": at most 64 capital letters, digits and underscores.`);
}

class Scanner {
  private position = 0;

  constructor(private readonly text: string) {}

  /** Reads to the end, or within a default (`nesting` > 0) to the closing brace. */
  pieces(nesting: number): TemplatePiece[] {
    if (nesting > MAX_NESTING) throw new Unreadable(`Defaults are nested more than ${MAX_NESTING} deep.`);
    const found: TemplatePiece[] = [];
    while (this.position < this.text.length) {
      const stop = this.nextStop(nesting > 0);
      if (stop > this.position) found.push({ text: this.text.slice(this.position, stop) });
      this.position = stop;
      if (this.text[stop] !== '$') break;
      this.position += 1;
      found.push(this.afterDollar(nesting));
    }
    return found;
  }

  private nextStop(braceEnds: boolean): number {
    for (let at = this.position; at < this.text.length; at += 1)
      if (this.text[at] === '$' || (braceEnds && this.text[at] === '}')) return at;
    return this.text.length;
  }

  private afterDollar(nesting: number): TemplatePiece {
    if (this.text[this.position] === '$') {
      this.position += 1;
      return { text: '$' };
    }
    const secret = this.match(SECRET);
    if (secret) return { secret: secretName(secret[1] ?? '') };
    if (this.text[this.position] !== '{') return { variable: this.name(), operator: '', operand: [] };
    this.position += 1;
    const variable = this.name();
    const operator = (this.match(OPERATOR)?.[0] ?? '') as Operator;
    const operand = operator === '' ? [] : this.pieces(nesting + 1);
    if (this.text[this.position] !== '}')
      throw new Unreadable('A variable is not written as ${NAME}: write $$ for a dollar sign.');
    this.position += 1;
    return { variable, operator, operand };
  }

  private name(): string {
    const name = this.match(NAME);
    if (!name) throw new Unreadable('A dollar sign is not followed by a variable: write $$ for a dollar sign.');
    return name[0];
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text);
    if (found) this.position += found[0].length;
    return found;
  }
}

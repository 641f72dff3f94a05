const REDACTED = '[redacted]';

/** Text beyond the shown part is searched as well, so that a secret that is cut off there is still recognised. */
const LOOKED_BEYOND = 1_000;

/** The name of a secret, but not the word in `${secret:NAME}`. */
const NAMED = String.raw`(?<!\$\{(?=secret:\w+\}))(?:password|passwd|pwd|secret|token|(?:api|access|private)[_-]?key)`;
const VALUE_END = `(?=[\\s"',;&]|$)`;
/**
 * `{password}` in the wiring of an analysis, `${NAME}` and `${secret:NAME}` in a compose file. These are placeholders,
 * not values.
 */
const PLACEHOLDER = String.raw`(?:\{\w+\}|\$\{(?:secret:)?\w+(?::?-)?\})`;

/** Secrets that are recognised by their format. Applications write the text, so no pattern may backtrack far. */
const PATTERNS: readonly [RegExp, string][] = [
  [/\bp(?:k|cp)_[A-Za-z0-9_-]{16,}/g, REDACTED],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  [/\beyJ[A-Za-z0-9_-]{8,600}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, REDACTED],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, REDACTED],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-)[A-Za-z0-9_-]{16,}/g, REDACTED],
  [new RegExp(`(:\\/\\/[^\\s/:@]*:)(?!${PLACEHOLDER}@)[^\\s/@]+@`, 'g'), `$1${REDACTED}@`],
  [new RegExp(`(${NAMED}["']?\\s*[=:]\\s*["']?)(?!${PLACEHOLDER}${VALUE_END})[^\\s"',;&]{4,}`, 'gi'), `$1${REDACTED}`],
];

/** Removes secrets from text: known values, and values with the format of a secret. */
export class Redaction {
  readonly #known: readonly string[];

  /** @param known values that must not appear anywhere */
  constructor(known: Iterable<string>) {
    // Longest first: otherwise part of a value would remain if it contains another one.
    this.#known = [...new Set(known)].filter((value) => value !== '').sort((a, b) => b.length - a.length);
  }

  static readonly byForm = new Redaction([]);

  /** @param maxLength longer text is cut, after it was redacted */
  text(text: string, maxLength = Infinity): string {
    const withoutKnown = this.#known.reduce((rest, value) => rest.replaceAll(value, REDACTED), text);
    const looked = withoutKnown.slice(0, maxLength + LOOKED_BEYOND);
    const shown = PATTERNS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), looked);
    return shown.length <= maxLength ? shown : `${shown.slice(0, maxLength).toWellFormed()}…`;
  }

  /** The same document with every string redacted. Keys are unchanged. */
  document(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.document(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.document(item)]));
  }
}

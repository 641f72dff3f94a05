/** A YAML value as JSON. Aliases and merge keys are already resolved. */
export type ComposeValue = null | boolean | number | string | readonly ComposeValue[] | ComposeMapping;

export interface ComposeMapping {
  readonly [key: string]: ComposeValue;
}

/**
 * A parsed compose file, not checked yet. It has at most 10,000 values and 50 levels, and contains no NUL, no lone
 * surrogate, no key `__proto__` and only strings as keys. A number stays a string if it was not written in plain
 * decimal form (`0440`, `1.10`, `1e3`).
 */
export interface ComposeDocument {
  readonly root: ComposeMapping;
  /**
   * What is wrong on the level of YAML, such as tags and duplicate keys. `root` has a readable value in each of these
   * places, so that one answer can report these and all other errors.
   */
  readonly defects: readonly YamlDefect[];
}

export interface YamlDefect {
  /** JSON pointer. Empty for the whole file. */
  readonly path: string;
  readonly message: string;
  /** True if the file is not valid YAML or too large; false if it uses YAML that is not accepted. */
  readonly isUnreadable: boolean;
}

export function isMapping(value: ComposeValue | undefined): value is ComposeMapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: ComposeValue | undefined): value is readonly ComposeValue[] {
  return Array.isArray(value);
}

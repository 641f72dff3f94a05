/** What is left of YAML once it is read: JSON values, aliases and merge keys already carried out. */
export type ComposeValue = null | boolean | number | string | readonly ComposeValue[] | ComposeMapping;

export interface ComposeMapping {
  readonly [key: string]: ComposeValue;
}

/**
 * A compose file as read, with nothing decided yet. Bounded: at most 10,000 values and 50 levels, no NUL, no lone
 * surrogate, no key `__proto__`, no key that is not a string. A number stays a string where its plain decimal
 * form is not how it was written (`0440`, `1.10`, `1e3`).
 */
export interface ComposeDocument {
  readonly root: ComposeMapping;
  /**
   * Places that must not be as they are, such as tags and keys given twice. Something readable stands for each in
   * `root`, so that what else is wrong can be told in the same answer.
   */
  readonly defects: readonly YamlDefect[];
}

export interface YamlDefect {
  /** JSON pointer; empty where the file as a whole is meant. */
  readonly path: string;
  readonly message: string;
  /** Not YAML as we read it, or beyond the bounds; otherwise it is merely not accepted. */
  readonly isUnreadable: boolean;
}

export function isMapping(value: ComposeValue | undefined): value is ComposeMapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: ComposeValue | undefined): value is readonly ComposeValue[] {
  return Array.isArray(value);
}

/** Sequences that move a terminal's cursor, set colours or titles. */
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
/** Control characters except line feeds and tabs. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Characters that people do not see but models read: zero width, direction, tags, variation selectors. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]|[\u{e0000}-\u{e01ef}]/gu;

/** Removes characters that make the output of a container or repository look different from what it contains. */
export function visibleText(text: string): string {
  return text.replace(ANSI, '').replace(CONTROL, '').replace(INVISIBLE, '').toWellFormed();
}

import { optionsOf, readInstructions } from './dockerfile-instructions.js';

const CACHE = /(?:^|\s)--mount=(?:\S*,)?type=cache(?=[\s,]|$)\S*/g;

/**
 * Removes cache mounts. They only make a step faster, and the engine shares them among all builds, so one tenant could
 * put files into another tenant's build.
 */
export function withoutCacheMounts(text: string): { readonly text: string; readonly isChanged: boolean } {
  const instructions = readInstructions(text);
  if ('message' in instructions) return { text, isChanged: false };
  let kept = '';
  let copied = 0;
  for (const { keyword, rest, start, end } of instructions) {
    const options = keyword === 'RUN' ? (optionsOf(rest) ?? '') : '';
    const left = options.replace(CACHE, '');
    if (left === options) continue;
    kept += `${text.slice(copied, start)}RUN ${left.trim()} ${rest.slice(options.length)}\n`.replace('RUN  ', 'RUN ');
    copied = end;
  }
  return { text: kept + text.slice(copied), isChanged: copied > 0 };
}

/** Whether a RUN instruction has mounts, which the engine's classic builder does not support. */
export function hasMounts(text: string): boolean {
  const instructions = readInstructions(text);
  if ('message' in instructions) return false;
  return instructions.some(({ keyword, rest }) => keyword === 'RUN' && /--mount=/.test(optionsOf(rest) ?? ''));
}

import { escapeOf, optionsOf, readInstructions, type DockerfileDefect } from './dockerfile-instructions.js';

const MOUNT = /^--mount=((?:[a-z]+(?:=[\w./@:+-]*)?)(?:,[a-z]+(?:=[\w./@:+-]*)?)*)$/;
const MOUNT_TYPES = new Set(['bind', 'secret', 'tmpfs']);
/** As the engine finds them; a word that ends the text may have any form, and could look like the end of a line. */
const HEREDOC = /(?:^|\s)\d*<<-?(\S+)/g;
const PLAIN_WORD = /^(["']?)\w+\1$/;

/**
 * Checks a Dockerfile for what BuildKit knows beyond the classic builder, and gives it back so that BuildKit reads no
 * program for its syntax from it: those that it names would be fetched and run on the engine.
 * @param text with the full name of every image
 */
export function forBuildKit(text: string): { readonly text: string } | DockerfileDefect {
  const instructions = readInstructions(text);
  const escape = escapeOf(text);
  if ('message' in instructions) return instructions;
  if (typeof escape !== 'string') return escape;
  for (const { line, keyword, rest } of instructions) {
    const message = defectOf(keyword, rest);
    if (message !== null) return { line, message };
  }
  // Directives are read at the top only, up to the first plain comment.
  return { text: `# escape=${escape}\n# The directives end here.\n${text}` };
}

/** The same for an instruction behind ONBUILD in an image that is built on; null: nothing is wrong. */
export function buildKitTriggerDefect(instruction: string): string | null {
  const [, keyword = '', rest = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(instruction) ?? [];
  return defectOf(keyword.toUpperCase(), rest);
}

/** Names that would change how BuildKit itself works. */
export function isForBuildKit(buildArg: string): boolean {
  return buildArg.toUpperCase().startsWith('BUILDKIT_');
}

function defectOf(keyword: string, rest: string): string | null {
  const words = [...rest.matchAll(HEREDOC)].map(([, word = '']) => word);
  if (words.some((word) => !PLAIN_WORD.test(word) && /^["'\w]/.test(word)))
    return 'A word that ends a text must be of letters, digits and underscores.';
  if (keyword === 'ONBUILD') return buildKitTriggerDefect(rest);
  if (keyword === 'ADD') return addDefect(rest);
  if (keyword !== 'RUN') return null;
  const options = optionsOf(rest);
  if (options === null) return 'Options in quotes are not allowed.';
  for (const option of options.split(/\s+/).filter(Boolean)) {
    const fields = MOUNT.exec(option)?.[1]?.split(',');
    if (!fields) return `The option ${option.split('=', 1)[0]} of RUN is not allowed in this form.`;
    const type = fields.find((field) => field.startsWith('type='))?.slice('type='.length) ?? 'bind';
    if (!MOUNT_TYPES.has(type)) return `A mount of the type ${type} is not allowed.`;
  }
  return null;
}

/** BuildKit also fetches repositories by themselves, in more forms than one can name. */
function addDefect(rest: string): string | null {
  const sources = rest.slice((optionsOf(rest) ?? '').length);
  return /[:$]|github\.com\//i.test(sources)
    ? 'ADD takes only files of the repository, whose names have neither : nor $.'
    : null;
}

import { escapeOf, optionsOf, readInstructions, type DockerfileDefect } from './dockerfile-instructions.js';

const MOUNT = /^--mount=((?:[a-z]+(?:=[\w./@:+-]*)?)(?:,[a-z]+(?:=[\w./@:+-]*)?)*)$/;
const MOUNT_TYPES = new Set(['bind', 'secret', 'tmpfs']);
/** Finds here-documents as the engine does. Their delimiter may be any word, even one with an escape character. */
const HEREDOC = /(?:^|\s)\d*<<-?(\S+)/g;
const PLAIN_WORD = /^(["']?)\w+\1$/;

/**
 * Checks a Dockerfile for features that only BuildKit has. The returned text makes BuildKit ignore any `# syntax=`
 * directive, because BuildKit would fetch the program that it names and run it on the engine.
 * @param text a Dockerfile in which every image has its full name
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
  // BuildKit reads directives only at the top, up to the first ordinary comment.
  return { text: `# escape=${escape}\n# The directives end here.\n${text}` };
}

/** Checks an ONBUILD instruction of a base image in the same way. Null if nothing is wrong. */
export function buildKitTriggerDefect(instruction: string): string | null {
  const [, keyword = '', rest = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(instruction) ?? [];
  return defectOf(keyword.toUpperCase(), rest);
}

/** Whether a build argument would change how BuildKit itself works. */
export function isForBuildKit(buildArg: string): boolean {
  return buildArg.toUpperCase().startsWith('BUILDKIT_');
}

function defectOf(keyword: string, rest: string): string | null {
  const words = [...rest.matchAll(HEREDOC)].map(([, word = '']) => word);
  if (words.some((word) => !PLAIN_WORD.test(word) && /^["'\w]/.test(word)))
    return 'The delimiter of a here-document may contain only letters, digits and underscores.';
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

/** BuildKit's ADD also fetches whole repositories, by more forms of address than can be listed. */
function addDefect(rest: string): string | null {
  const sources = rest.slice((optionsOf(rest) ?? '').length);
  return /[:$]|github\.com\//i.test(sources)
    ? 'ADD takes only files of the repository, whose names have neither : nor $.'
    : null;
}

import { parseImageReference, registryDefect } from '../compose/values/image-reference.js';
import type { ImageReference } from '../service-plan.js';

/** A Dockerfile whose images have been looked at: every one of them stands in it under its full name. */
export interface CheckedDockerfile {
  readonly text: string;
  /** Each once, in the order of the file. */
  readonly images: readonly ImageReference[];
}

export interface DockerfileDefect {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

interface Instruction {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly keyword: string;
  /** Everything behind the keyword, on one line. */
  readonly rest: string;
}

const OWN_FRONTEND = /^(?:docker\.io\/)?docker\/dockerfile(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/;

/**
 * Finds every image that a build would fetch (FROM, COPY --from, RUN --mount) and writes its full name in its place:
 * a short name can also mean the id of any image on the engine, and that may be somebody else's.
 * @param buildArgs values for ARG before the first FROM
 */
export function checkDockerfile(
  text: string,
  buildArgs: ReadonlyMap<string, string>,
  allowedRegistries: ReadonlySet<string>,
): CheckedDockerfile | DockerfileDefect {
  const frontend = /^#\s*syntax\s*=\s*(\S+)/im.exec(text.split('\n', 5).join('\n'))?.[1];
  if (frontend && !OWN_FRONTEND.test(frontend))
    return { line: 1, message: `The syntax ${frontend} is not allowed: it is a program that would run on the engine.` };
  const reader = new ImageReader(buildArgs, allowedRegistries);
  let checked = '';
  let copied = 0;
  for (const instruction of instructions(text)) {
    const replaced = reader.read(instruction);
    if (reader.defect !== null) return { line: instruction.line, message: reader.defect };
    if (replaced === null) continue;
    checked += text.slice(copied, instruction.start) + replaced;
    copied = instruction.end;
  }
  if (!reader.hasStage) return { line: 1, message: 'There is no FROM instruction.' };
  return { text: checked + text.slice(copied), images: [...reader.images.values()] };
}

const ADD_REFUSED =
  'ADD of an address is not allowed: the engine itself would fetch it. Fetch it with RUN. ' +
  'For a file whose name begins with a variable, write ./ before it.';
const SCHEMES = ['http://', 'https://'];

/** What is wrong with an instruction behind ONBUILD, here or in an image that a build begins with; null: nothing. */
export function triggerDefect(instruction: string): string | null {
  if (/^\s*(?:FROM|COPY|ADD|RUN)\b.*--(?:from|mount)/is.test(instruction)) return 'ONBUILD with images is not allowed.';
  const added = /^\s*ADD\s+(.*)$/is.exec(instruction)?.[1];
  return added !== undefined && addsFromAddress(added) ? ADD_REFUSED : null;
}

/** The engine fetches addresses from its own network, which no rule keeps from private ones. */
function addsFromAddress(rest: string): boolean {
  return sourcesOf(rest.replace(/^(?:--\S+\s+)*/, '')).some((source) => {
    const [start = '', ...variables] = source
      .replace(/["'\\`]/g, '')
      .toLowerCase()
      .split('$');
    const mayBecome = (scheme: string) => variables.length > 0 && scheme.startsWith(start);
    return SCHEMES.some((scheme) => start.startsWith(scheme) || mayBecome(scheme));
  });
}

function sourcesOf(rest: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(rest);
    if (Array.isArray(list)) return list.slice(0, -1).map(String);
  } catch {
    // Not the form of a list.
  }
  return rest.trim().split(/\s+/).slice(0, -1);
}

class ImageReader {
  readonly images = new Map<string, ImageReference>();
  hasStage = false;
  defect: string | null = null;
  readonly #stages = new Set<string>();
  readonly #arguments = new Map<string, string>();

  constructor(
    private readonly buildArgs: ReadonlyMap<string, string>,
    private readonly allowedRegistries: ReadonlySet<string>,
  ) {}

  /** @returns what takes the instruction's place; null: it stays as it is */
  read({ keyword, rest }: Instruction): string | null {
    switch (keyword) {
      case 'ARG':
        if (!this.hasStage) this.argument(rest);
        return null;
      case 'FROM':
        return this.stage(rest);
      case 'ONBUILD': {
        const defect = triggerDefect(rest);
        return defect === null ? null : this.refuse(defect);
      }
      case 'ADD':
        if (addsFromAddress(rest)) return this.refuse(ADD_REFUSED);
        return this.sources(keyword, rest);
      case 'COPY':
      case 'RUN':
        return this.sources(keyword, rest);
      default:
        return null;
    }
  }

  private argument(rest: string): void {
    for (const part of rest.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []) {
      const [name = '', ...value] = part.split('=');
      const given = this.buildArgs.get(name);
      if (given !== undefined) this.#arguments.set(name, given);
      else if (value.length > 0)
        this.#arguments.set(name, this.expand(value.join('=').replace(/^(["'])(.*)\1$/, '$2')));
    }
  }

  private stage(rest: string): string | null {
    this.hasStage = true;
    const match = /^((?:--\S+\s+)*)(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest);
    if (!match) return this.refuse('The FROM instruction cannot be read.');
    const [, options = '', written = '', alias] = match;
    const image = this.resolve(written);
    if (alias) this.#stages.add(alias.toLowerCase());
    if (image === null) return null;
    return `FROM ${this.expand(options)}${image}${alias ? ` AS ${alias}` : ''}\n`;
  }

  /** Only the flags in front of the instruction count; what follows them is the user's own text. */
  private sources(keyword: string, rest: string): string | null {
    const flags = /^(?:--\S+\s+)*/.exec(rest)![0];
    let isChanged = false;
    const replaced = flags.replace(
      /((?:^|\s)--from=|(?:^|\s)--mount=\S*?\bfrom=)([^,\s]+)/g,
      (whole, before: string, name: string) => {
        const image = /^\d+$/.test(name) ? null : this.resolve(name);
        isChanged ||= image !== null;
        return image === null ? whole : before + image;
      },
    );
    return isChanged ? `${keyword} ${replaced}${rest.slice(flags.length)}\n` : null;
  }

  /** @returns the full name; null for a stage of this file, `scratch`, and when it is refused */
  private resolve(written: string): string | null {
    const name = this.expand(written.replace(/^(["'])(.*)\1$/, '$2'));
    if (name === 'scratch' || this.#stages.has(name.toLowerCase())) return null;
    const image = parseImageReference(name);
    if (!image) return this.refuse(`${name === '' ? written : name} is not an image name.`);
    const defect = registryDefect(image.registry, this.allowedRegistries);
    if (defect !== null) return this.refuse(`The image ${name} is not allowed. ${defect}`);
    this.images.set(image.ref, image);
    return image.ref;
  }

  private expand(text: string): string {
    return text.replace(/\$(?:\{(\w+)(?:(:?[-+])([^}]*))?\}|(\w+))/g, (_, braced, operator, word, bare) => {
      const value = this.#arguments.get(String(braced ?? bare)) ?? '';
      if (String(operator ?? '').endsWith('-')) return value === '' ? String(word) : value;
      return String(operator ?? '').endsWith('+') ? (value === '' ? '' : String(word)) : value;
    });
  }

  private refuse(message: string): null {
    this.defect ??= message;
    return null;
  }
}

/** As the builder splits them: lines that end with the escape character go on, comments between them do not count. */
function instructions(text: string): readonly Instruction[] {
  const escape = /^#\s*escape\s*=\s*`/im.test(text.split('\n', 5).join('\n')) ? '`' : '\\';
  const found: Instruction[] = [];
  let open: { line: number; start: number; parts: string[] } | null = null;
  let offset = 0;
  for (const [index, raw] of text.split('\n').entries()) {
    const start = offset;
    offset += raw.length + 1;
    const line = raw.replace(/\r$/, '');
    if (/^\s*(?:#|$)/.test(line)) continue;
    const goesOn = new RegExp(`\\${escape}[ \\t]*$`).test(line);
    open ??= { line: index + 1, start, parts: [] };
    open.parts.push(goesOn ? line.slice(0, line.lastIndexOf(escape)) : line);
    if (goesOn) continue;
    found.push(instructionOf(open, Math.min(offset, text.length)));
    open = null;
  }
  if (open) found.push(instructionOf(open, text.length));
  return found;
}

function instructionOf(open: { line: number; start: number; parts: string[] }, end: number): Instruction {
  const whole = open.parts.join(' ').trim();
  const [keyword = ''] = /^\S+/.exec(whole) ?? [];
  const rest = whole.slice(keyword.length).trim();
  return { line: open.line, start: open.start, end, keyword: keyword.toUpperCase(), rest };
}

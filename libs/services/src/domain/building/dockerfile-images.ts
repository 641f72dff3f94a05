import { parseImageReference, registryDefect } from '../compose/values/image-reference.js';
import type { ImageReference } from '../service-plan.js';
import { optionsOf, readInstructions, type DockerfileDefect, type Instruction } from './dockerfile-instructions.js';

/** A Dockerfile whose images were checked and replaced by their full names. */
export interface CheckedDockerfile {
  readonly text: string;
  /** Without duplicates, in the order of the file. */
  readonly images: readonly ImageReference[];
}

const OWN_FRONTEND = /^(?:docker\.io\/)?docker\/dockerfile(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/;

/**
 * Finds every image that a build would fetch (FROM, COPY --from, RUN --mount) and replaces it by its full name. A short
 * name could also be read as the id of an image on the engine, which may belong to somebody else.
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
  const instructions = readInstructions(text);
  if ('message' in instructions) return instructions;
  const reader = new ImageReader(buildArgs, allowedRegistries);
  let checked = '';
  let copied = 0;
  for (const instruction of instructions) {
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
const OPTIONS_REFUSED = 'Options must be written without quotes and backslashes.';
const SCHEMES = ['http://', 'https://'];

/** Checks an ONBUILD instruction of this file or of a base image. Null if nothing is wrong. */
export function triggerDefect(instruction: string): string | null {
  if (/^\s*(?:FROM|COPY|ADD|RUN)\b.*--(?:from|mount)/is.test(instruction)) return 'ONBUILD with images is not allowed.';
  const options = /^\s*(?:FROM|COPY|ADD|RUN)\s+(.*)$/is.exec(instruction)?.[1] ?? '';
  if (optionsOf(options) === null) return OPTIONS_REFUSED;
  const added = /^\s*ADD\s+(.*)$/is.exec(instruction)?.[1];
  return added !== undefined && addsFromAddress(added) ? ADD_REFUSED : null;
}

/** The engine fetches addresses from its own network, where no firewall rule blocks private addresses. */
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
    // Not the JSON form, so it is read as words below.
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

  /** @returns the text that replaces the instruction, or null to keep it */
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
    if (optionsOf(options) === null) return this.refuse(OPTIONS_REFUSED);
    const image = this.resolve(written);
    if (alias) this.#stages.add(alias.toLowerCase());
    if (image === null) return null;
    return `FROM ${this.expand(options)}${image}${alias ? ` AS ${alias}` : ''}\n`;
  }

  /** Looks for images only in the options before the arguments. The rest is the user's own text. */
  private sources(keyword: string, rest: string): string | null {
    const flags = optionsOf(rest);
    if (flags === null) return this.refuse(OPTIONS_REFUSED);
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

  /** @returns the full name; null for a stage of this file, for `scratch` and for a refused image */
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

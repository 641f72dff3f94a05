import type { SecretTemplate } from '../secret-template.js';
import type { ComposeInlineFile, ComposeFileUse, Pairs } from './compose-file.js';
import type { InlineFile } from '../service-plan.js';
import { interpolateTemplate } from './variables/interpolation.js';
import { containerPathDefect, normalizedPath } from './values/container-path.js';
import type { Place } from './place.js';
import { readList, readPairs } from './readers.js';
import { parseFileMode } from './values/units.js';

const VARIABLE_NAME = /^[!-<>-~]{1,256}$/;
const READABLE_BY_ALL = 0o444;

/** A variable without a value is refused: Compose would take it from the environment of the host. */
export function readEnvironment(
  value: Pairs | undefined,
  variables: ReadonlyMap<string, string>,
  place: Place,
): ReadonlyMap<string, SecretTemplate> {
  const environment = new Map<string, SecretTemplate>();
  for (const pair of readPairs(value, place)) {
    if (!VARIABLE_NAME.test(pair.name) || pair.name.includes('${'))
      pair.place.refuse('The variable name must be printable, without blanks and references.');
    else if (pair.value === null)
      pair.place.refuse('The variable needs a value. The environment of the host is not read.');
    else environment.set(pair.name, interpolateTemplate(pair.value, variables, pair.place));
  }
  return environment;
}

type Declared = Readonly<Record<string, ComposeInlineFile>> | undefined;
type Uses = readonly (string | ComposeFileUse | undefined)[] | undefined;

/** Reads all contents, even those that no container uses, so that their errors are reported. */
export function readContents(
  declared: Declared,
  variables: ReadonlyMap<string, string>,
  place: Place,
): ReadonlyMap<string, SecretTemplate> {
  const contents = new Map<string, SecretTemplate>();
  for (const [name, file] of Object.entries(declared ?? {}))
    if (file.content !== undefined)
      contents.set(name, interpolateTemplate(file.content, variables, place.at(name, 'content')));
  return contents;
}

/** The paths in one container that are in use. */
export interface ContainerPaths {
  /** Targets so far. Reading adds to them. */
  readonly taken: Set<string>;
  /** The target of the tmpfs that would hide a file at the path, or null. */
  readonly tmpfsOver: (path: string) => string | null;
}

export function readFileUses(
  kind: InlineFile['kind'],
  uses: Uses,
  declared: Declared,
  contents: ReadonlyMap<string, SecretTemplate>,
  { taken, tmpfsOver }: ContainerPaths,
  place: Place,
): readonly InlineFile[] {
  return readList<string | ComposeFileUse>(uses, place).flatMap(({ item, place: at }) => {
    const use: ComposeFileUse = typeof item === 'string' ? { source: item } : item;
    const source = use.source;
    if (source === undefined) return [];
    const content = contents.get(source);
    if (content === undefined) {
      // A declaration without content was already refused by the schema.
      if (!Object.hasOwn(declared ?? {}, source)) at.refuse(`The ${kind} is not declared.`);
      return [];
    }
    const target = targetOf(kind, use.target ?? source);
    const defect = containerPathDefect(target);
    const hidden = tmpfsOver(normalizedPath(target));
    if (defect !== null) at.refuse(`The target ${defect}.`);
    else if (taken.has(normalizedPath(target))) at.refuse('Something else is at this target.');
    else if (hidden !== null) at.refuse(`The tmpfs at ${hidden} would hide the file.`);
    taken.add(normalizedPath(target));
    const mode = use.mode === undefined ? READABLE_BY_ALL : (parseFileMode(use.mode) ?? READABLE_BY_ALL);
    return [
      { kind, source, target, content, uid: ownerOf(use.uid, at.at('uid')), gid: ownerOf(use.gid, at.at('gid')), mode },
    ];
  });
}

function targetOf(kind: InlineFile['kind'], target: string): string {
  if (target.startsWith('/')) return target;
  return kind === 'secret' ? `/run/secrets/${target}` : `/${target}`;
}

function ownerOf(value: number | string | undefined, place: Place): number {
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(String(value))) return Number(value);
  place.refuse('The owner must be a number.');
  return 0;
}

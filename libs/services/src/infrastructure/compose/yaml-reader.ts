import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { toPointer } from '#kernel/text/json-pointer';
import { textDefect } from '#kernel/text/plain-text';
import {
  type ComposeDocument,
  type ComposeMapping,
  type ComposeValue,
  isMapping,
  type YamlDefect,
} from '../../domain/compose/compose-document.js';

const MAX_ALIASES = 100;
const MAX_VALUES = 10_000;
const MAX_DEPTH = 50;
/** Maximum number of characters of all texts and of the pointers to all values. It bounds the size of error reports. */
const MAX_CHARACTERS = 2 * 1024 * 1024;
/** Maximum length of a list index: a file has fewer than 100,000 values. */
const INDEX_CHARACTERS = 5;
const NO_TEXT = 'Every key must be a string.';
const NO_MERGE = 'The key << needs a mapping.';
const CORE_TAG = /^(?:!|tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq))$/;

/** The path from the root to a value. A linked list, because most pointers are never needed. */
interface Path {
  readonly parent: Path | null;
  readonly key: string | number;
  readonly depth: number;
  /** Number of characters of the pointer. */
  readonly length: number;
}

/** A value that was read, and its size. */
export interface ReadDocument extends ComposeDocument {
  readonly values: number;
  readonly characters: number;
}

export class UnreadableYaml extends Error {
  constructor(readonly defect: YamlDefect) {
    super(defect.message);
  }
}

/**
 * Turns YAML's nodes into plain values. Aliases become copies, so that every value has one place. Copies count against
 * the same bounds as written values.
 */
export class YamlReader {
  private readonly anchors = new Map<string, Node>();
  private readonly targets = new Map<Alias, Node>();
  private readonly open = new Set<Node>();
  private readonly defects: YamlDefect[] = [];
  /** Greater than 0 within the copy of an alias. */
  private copying = 0;
  private values = 0;
  private characters = 0;
  private aliases = 0;

  constructor(private readonly document: Document) {}

  /** @throws UnreadableYaml above the bounds, and for nodes that are not plain values */
  read(): ReadDocument {
    const { contents, directives } = this.document;
    if (directives?.yaml.explicit && directives.yaml.version !== '1.2')
      return this.unreadable(null, 'Only YAML 1.2 is supported.');
    if (!isMap(contents)) return this.unreadable(null, 'The file must be a mapping.');
    const root = this.value(contents, null) as ComposeMapping;
    return { root, defects: this.defects, values: this.values, characters: this.characters };
  }

  private value(node: unknown, path: Path | null): ComposeValue {
    this.values += 1;
    if (this.values > MAX_VALUES)
      return this.unreadable(path, `The file has more than ${MAX_VALUES} values, copies by aliases included.`);
    this.count(path?.length ?? 0);
    if ((path?.depth ?? 0) > MAX_DEPTH) return this.unreadable(path, `The file is nested more than ${MAX_DEPTH} deep.`);
    if (isAlias(node)) return this.copy(this.target(node, path), path);
    if (isScalar(node)) return this.scalar(node, path);
    if (!isMap(node) && !isSeq(node)) return null;
    this.note(node);
    this.checkTag(node, path);
    if (this.open.has(node)) return this.unreadable(path, 'An alias contains itself.');
    this.open.add(node);
    const value = isMap(node)
      ? this.mapping(node.items, path)
      : node.items.map((item, index) => this.value(item, below(path, index)));
    this.open.delete(node);
    return value;
  }

  private mapping(pairs: readonly Pair<unknown, unknown>[], path: Path | null): ComposeMapping {
    const mapping: Record<string, ComposeValue> = {};
    const merged: Pair<unknown, unknown>[] = [];
    for (const pair of pairs) {
      if (isMergeKey(pair.key)) merged.push(pair);
      else {
        const key = this.key(pair.key, path);
        const at = below(path, key);
        const value = this.value(pair.value, at);
        const isSecond = Object.hasOwn(mapping, key);
        if (isSecond) this.defect(at, 'The key appears twice.');
        mapping[key] = isSecond ? united(mapping[key], value) : value;
      }
    }
    if (merged.length > 1) this.defect(path, 'The key << appears twice.');
    for (const { value } of merged) this.merge(value, mapping, path);
    return mapping;
  }

  /** Existing keys take precedence; then the first source. */
  private merge(source: unknown, into: Record<string, ComposeValue>, path: Path | null): void {
    const node = isAlias(source) ? this.target(source, path) : source;
    if (isSeq(node) && node === source) {
      for (const item of node.items) {
        if (isSeq(item)) this.defect(path, NO_MERGE);
        else this.merge(item, into, path);
      }
      return;
    }
    if (!isMap(node)) return this.defect(path, NO_MERGE);
    const values = node === source ? this.value(node, path) : this.copy(node, path);
    for (const [key, value] of Object.entries(values as ComposeMapping))
      if (!Object.hasOwn(into, key)) into[key] = value;
  }

  private key(node: unknown, path: Path | null): string {
    if (!isScalar(node)) return this.unreadable(path, NO_TEXT);
    this.note(node);
    this.checkTag(node, path);
    const { value, source } = node;
    if (typeof value !== 'string') this.defect(path, NO_TEXT);
    const key = typeof value === 'string' ? value : (source ?? '');
    // The values become plain objects, whose prototype this name would set.
    if (key === '__proto__') return this.unreadable(below(path, key), 'This key is not accepted.');
    const defect = textDefect(key);
    return defect === null ? key : this.unreadable(path, `The text ${defect}.`);
  }

  private scalar(node: Scalar, path: Path | null): ComposeValue {
    this.note(node);
    this.checkTag(node, path);
    const { value, source } = node;
    if (typeof value === 'string') return this.text(value, path);
    // 0440, 1.10, 1e3: it is unknown whether a number or its digits are meant.
    if (typeof value === 'number') return source === undefined || String(value) === source ? value : source;
    return typeof value === 'boolean' || value === null ? value : (source ?? null);
  }

  private text(text: string, path: Path | null): string {
    this.count(text.length);
    const defect = textDefect(text);
    if (defect === null) return text;
    this.defect(path, `The text ${defect}.`);
    return '';
  }

  /** Refuses tags: they mean types beyond JSON, or, like Compose's `!reset` and `!override`, other files. */
  private checkTag(node: Node, path: Path | null): void {
    if (node.tag === undefined || CORE_TAG.test(node.tag)) return;
    this.defects.push({ path: pointerOf(path), message: 'Tags are not accepted.', isUnreadable: false });
  }

  /** The node of an alias: the last one with this anchor before it in the file. */
  private target(alias: Alias, path: Path | null): Node {
    const known = this.targets.get(alias);
    if (known !== undefined) return known;
    this.aliases += 1;
    if (this.aliases === MAX_ALIASES + 1) this.defect(path, `The file has more than ${MAX_ALIASES} aliases.`);
    const target = this.anchors.get(alias.source);
    if (target === undefined)
      return this.unreadable(path, 'An alias refers to an anchor that is not defined before it.');
    this.targets.set(alias, target);
    return target;
  }

  private copy(node: Node, path: Path | null): ComposeValue {
    this.copying += 1;
    const value = this.value(node, path);
    this.copying -= 1;
    return value;
  }

  private note(node: Scalar | YAMLMap | YAMLSeq): void {
    // A copy must not restore an anchor that was redefined later.
    if (node.anchor !== undefined && this.copying === 0) this.anchors.set(node.anchor, node);
  }

  private count(characters: number): void {
    this.characters += characters;
    if (this.characters > MAX_CHARACTERS)
      this.unreadable(
        null,
        `The strings and the pointers to all values have more than ${MAX_CHARACTERS} characters together, including copies by aliases.`,
      );
  }

  private defect(path: Path | null, message: string): void {
    this.defects.push({ path: pointerOf(path), message, isUnreadable: true });
  }

  private unreadable(path: Path | null, message: string): never {
    throw new UnreadableYaml({ path: pointerOf(path), message, isUnreadable: true });
  }
}

/** Both values of a duplicate key are read, so that the problems of both are reported. Changes the first one. */
function united(first: ComposeValue | undefined, second: ComposeValue): ComposeValue {
  if (!isMapping(first)) return second;
  if (!isMapping(second)) return first;
  const both = first as Record<string, ComposeValue>;
  for (const [key, value] of Object.entries(second))
    both[key] = Object.hasOwn(both, key) ? united(both[key], value) : value;
  return both;
}

function below(parent: Path | null, key: string | number): Path {
  return {
    parent,
    key,
    depth: (parent?.depth ?? 0) + 1,
    length: (parent?.length ?? 0) + 1 + (typeof key === 'string' ? key.length : INDEX_CHARACTERS),
  };
}

function pointerOf(path: Path | null): string {
  const keys: (string | number)[] = [];
  for (let at = path; at !== null; at = at.parent) keys.unshift(at.key);
  return toPointer(keys);
}

/** Only the plain `<<`. In quotes it is a normal key. */
function isMergeKey(node: unknown): boolean {
  return isScalar(node) && (typeof node.value === 'symbol' || (node.value === '<<' && node.type === 'PLAIN'));
}

import { fencedBlocks } from '../documents/fenced-blocks.js';
import { lookAgain } from '../look-again.js';
import type { McpClient, ToolAnswer } from './mcp-client.js';

/** A placeholder such as `<database>`. Its value comes from an earlier answer or from the reader. */
const PLACEHOLDER = /<([a-z][a-z0-9 ]*)>/g;
const WAIT_MS = 120_000;

interface Call {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
}

/** One call in a document, with the answer that the document shows. */
export interface Step {
  readonly place: string;
  readonly call: Call;
  readonly answer: unknown;
}

/** The steps of a document: each JSON block that is a tool call, and the next block, which is its answer. */
export function stepsOf(file: string): Step[] {
  const blocks = fencedBlocks(file).filter(({ language }) => language === 'json');
  return blocks.flatMap(({ place, text }, index) => {
    const call = JSON.parse(text) as Partial<Call>;
    if (call.tool === undefined || call.arguments === undefined) return [];
    const answer = blocks[index + 1];
    if (!answer) throw new Error(`${place}: a call without an answer`);
    return [{ place, call: call as Call, answer: JSON.parse(answer.text) as unknown }];
  });
}

/** Makes the calls of a document and compares every answer with the one in the document. */
export class DocumentedSession {
  readonly #values: Map<string, string>;

  constructor(
    private readonly client: McpClient,
    known: Readonly<Record<string, string>>,
  ) {
    this.#values = new Map(Object.entries(known));
  }

  /** The value of a placeholder. */
  value(name: string): string {
    const value = this.#values.get(name);
    if (value === undefined) throw new Error(`nothing gave <${name}>`);
    return value;
  }

  /**
   * Makes one call. A call that only reads is repeated until its answer matches.
   * @throws if the answer never matches
   */
  async take({ place, call, answer }: Step): Promise<void> {
    const args = this.#filled(call.arguments) as Record<string, unknown>;
    const tool = this.client.tools.find(({ name }) => name === call.tool);
    const mayRepeat = Object(tool?.annotations).readOnlyHint === true;
    const since = Date.now();
    for (;;) {
      const given = await this.client.call(call.tool, args);
      const found = new Map(this.#values);
      const difference = differenceOf(answer, shownOf(given), '', found);
      if (difference === null) {
        for (const [name, value] of found) this.#values.set(name, value);
        return;
      }
      if (!mayRepeat || Date.now() - since > WAIT_MS)
        throw new Error(`${place}: ${call.tool}: ${difference}; the whole answer: ${given.text}`);
      await lookAgain(Date.now() - since);
    }
  }

  #filled(value: unknown): unknown {
    if (typeof value === 'string') return value.replace(PLACEHOLDER, (_, name: string) => this.value(name));
    if (Array.isArray(value)) return value.map((item) => this.#filled(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#filled(item)]));
  }
}

function shownOf({ isError, body }: ToolAnswer): unknown {
  return isError ? { error: body } : body;
}

/** Ignores fields that are not in the document. Stores the values of new placeholders. @returns null if they match */
function differenceOf(told: unknown, given: unknown, path: string, values: Map<string, string>): string | null {
  if (typeof told === 'string' && typeof given === 'string') return textDifference(told, given, path, values);
  if (Array.isArray(told) && Array.isArray(given) && told.length !== given.length)
    return `${path} has ${given.length} items instead of ${told.length}`;
  if (typeof told === 'object' && told !== null && typeof given === 'object' && given !== null) {
    const pairs = Object.entries(told).map(([name, item]): [unknown, unknown, string] => [
      ...([item, (given as Record<string, unknown>)[name]] as const),
      `${path}/${name}`,
    ]);
    for (const pair of pairs) {
      const difference = differenceOf(...pair, values);
      if (difference !== null) return difference;
    }
    return null;
  }
  return Object.is(told, given) ? null : `${path} is ${JSON.stringify(given)} instead of ${JSON.stringify(told)}`;
}

function textDifference(told: string, given: string, path: string, values: Map<string, string>): string | null {
  const names: string[] = [];
  const pieces = told.split(PLACEHOLDER).map((piece, index) => {
    if (index % 2 === 0) return escaped(piece);
    const known = values.get(piece);
    if (known !== undefined) return escaped(known);
    names.push(piece);
    return '(.+)';
  });
  const match = new RegExp(`^${pieces.join('')}$`, 's').exec(given);
  if (!match) return `${path} is ${JSON.stringify(given)} instead of ${JSON.stringify(told)}`;
  names.forEach((name, index) => values.set(name, match[index + 1]!));
  return null;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

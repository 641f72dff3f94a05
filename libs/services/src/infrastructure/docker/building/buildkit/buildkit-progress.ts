import { StringDecoder } from 'node:string_decoder';
import { readStatus } from './buildkit-messages.js';

const MAX_TAIL_LENGTH = 4_096;
const OWN_WORK = /^(?:\[internal\]|copy \/context)/;

/** Turns BuildKit's progress messages into text. */
export class BuildKitProgress {
  readonly #told = new Set<string>();
  readonly #decoders = new Map<string, StringDecoder>();
  #tail = '';

  /** The end of the output. */
  get tail(): string {
    return this.#tail;
  }

  read(data: string): string {
    const { vertexes, logs } = readStatus(data);
    const begun = vertexes.filter(({ digest, name }) => !this.#told.has(digest) && !OWN_WORK.test(name));
    for (const { digest } of begun) this.#told.add(digest);
    const steps = begun.map(({ name }) => `${name}\n`).join('');
    const said = logs.map(({ vertex, msg }) => this.#decoder(vertex).write(msg)).join('');
    this.#tail = (this.#tail + said).slice(-MAX_TAIL_LENGTH);
    return steps + said;
  }

  #decoder(vertex: string): StringDecoder {
    const decoder = this.#decoders.get(vertex) ?? new StringDecoder('utf8');
    this.#decoders.set(vertex, decoder);
    return decoder;
  }
}

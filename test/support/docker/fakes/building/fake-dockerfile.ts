import {
  BuildFailed,
  type BuildRequest,
} from '../../../../../libs/services/src/application/ports/git/image-builder.js';
import type { FakeBuildFile, FakeLayers } from './fake-layers.js';
import { runInFakeShell } from './fake-shell.js';

interface FakeBuild {
  readonly request: BuildRequest;
  readonly context: ReadonlyMap<string, FakeBuildFile>;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

type Files = Map<string, FakeBuildFile>;

/** Executes FROM, ARG, COPY, RUN and ONBUILD. All other instructions have no effect. */
export class FakeDockerfile {
  readonly #stages = new Map<string, string>();
  readonly #values = new Map<string, string>();
  #current: string | null = null;
  /** The name of the stage that is being built. */
  #stage: string | undefined;

  constructor(
    private readonly layers: FakeLayers,
    private readonly build: FakeBuild,
  ) {}

  /** @returns the id of the last layer */
  async run(onLayer: (id: string) => void): Promise<string> {
    const text = this.build.request.dockerfile.text.replace(/\\\n/g, '');
    const lines = text.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line));
    for (const [index, line] of lines.entries()) {
      this.build.signal.throwIfAborted();
      this.build.say(`Step ${index + 1}/${lines.length} : ${line}\n`);
      const [keyword = '', ...words] = line.trim().split(/\s+/);
      if (keyword.toUpperCase() === 'FROM') this.#current = this.#from(words);
      else onLayer((this.#current = await this.#step(keyword.toUpperCase(), words, line)));
    }
    if (this.#current === null) throw new BuildFailed('The build ended without an image.');
    return this.#current;
  }

  #from([name = '', , alias]: readonly string[]): string {
    const id = this.#imageNamed(name);
    if (alias) this.#stages.set(alias, id);
    this.#stage = alias;
    return id;
  }

  async #step(keyword: string, words: readonly string[], instruction: string): Promise<string> {
    const parent = this.#current;
    if (parent === null) throw new BuildFailed('There is no FROM instruction.');
    const files: Files = new Map(this.layers.filesOf(parent));
    const triggers = [...this.layers.triggersOf(parent), ...(keyword === 'ONBUILD' ? [words.join(' ')] : [])];
    if (keyword === 'ARG') this.#argument(words.join(' '));
    if (keyword === 'COPY') this.#copy(words, files);
    if (keyword === 'RUN') await this.#command(instruction.replace(/^\s*RUN\s+/i, ''), files);
    const id = this.layers.add({ parent, instruction, files, triggers });
    if (this.#stage !== undefined) this.#stages.set(this.#stage, id);
    return id;
  }

  #command(command: string, files: Files): Promise<void> {
    const { request, say, signal } = this.build;
    return runInFakeShell(command, { files, values: this.#values, limits: request.limits, say, signal });
  }

  #argument(text: string): void {
    const [name = '', value] = text.split('=');
    const given = this.build.request.buildArgs.get(name) ?? value;
    if (given !== undefined) this.#values.set(name, given);
  }

  #copy(words: readonly string[], into: Files): void {
    const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
    const [source = '', target = ''] = words.filter((word) => !word.startsWith('--'));
    const all = from === undefined ? this.build.context : this.layers.filesOf(this.#imageNamed(from));
    const wanted = source.replace(/^\.\/?$/, '');
    const exact = all.get(wanted);
    // COPY follows a link that is copied by itself. The links in the tests all lead out of the context.
    if (exact?.isLink) throw new BuildFailed(`COPY failed: ${source} leads out of the context.`);
    if (exact) into.set(target.endsWith('/') ? `${target}${source.split('/').at(-1)}` : target, exact);
    const prefix = wanted === '' ? '' : `${wanted}/`;
    const inside = exact ? [] : [...all].filter(([path]) => path.startsWith(prefix));
    if (!exact && inside.length === 0) throw new BuildFailed(`COPY failed: ${source} is not there.`);
    for (const [path, file] of inside) into.set(`${target.replace(/\/$/, '')}/${path.slice(prefix.length)}`, file);
  }

  #imageNamed(name: string): string {
    const id = this.#stages.get(name) ?? this.layers.named(name);
    if (id === undefined) throw new BuildFailed(`The image ${name} is not on the engine.`);
    return id;
  }
}

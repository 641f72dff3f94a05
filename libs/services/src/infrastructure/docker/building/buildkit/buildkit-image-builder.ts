import type { Readable } from 'node:stream';
import type { Operation } from '../../../../application/ports/engine/container-runtime.js';
import {
  BuildFailed,
  ImageBuilder,
  type BuildRequest,
  type MadeImage,
} from '../../../../application/ports/git/image-builder.js';
import { buildKitTriggerDefect, forBuildKit, isForBuildKit } from '../../../../domain/building/buildkit-dockerfile.js';
import { triggerDefect } from '../../../../domain/building/dockerfile-images.js';
import { EngineRefusal } from '../../docker-errors.js';
import { EngineConnection, type EngineSettings } from '../../engine/engine-connection.js';
import { jsonLines } from '../../json-lines.js';
import { buildContext } from '../build-context.js';
import { buildFailure } from '../build-failures.js';
import { BuildFirewall, type FirewallPolicy } from '../build-firewall.js';
import { BuildLayers } from '../build-layers.js';
import { BuildWatch } from '../build-watch.js';
import { BuiltImages } from '../built-images.js';
import { SecretMask } from '../secret-mask.js';
import { BuildKitCache } from './buildkit-cache.js';
import { BuildKitProgress } from './buildkit-progress.js';
import { BuildKitSession } from './buildkit-session.js';

const BRIDGE_OPTION = 'com.docker.network.bridge.name';

interface BuildEvent {
  readonly id?: string;
  readonly error?: string;
  readonly aux?: string | { readonly ID?: string };
}

/**
 * The engine's BuildKit, which keeps secrets out of images. It cannot limit memory, CPU or processes of a single build,
 * so the operator who enables it must limit its cgroup. Its steps run in the engine's default network.
 */
export class BuildKitImageBuilder extends ImageBuilder {
  readonly #connection: EngineConnection;
  readonly #images: BuiltImages;
  readonly #cache: BuildKitCache;
  readonly #firewall: BuildFirewall;

  constructor(settings: EngineSettings & { readonly firewall?: FirewallPolicy }) {
    super();
    this.#connection = new EngineConnection(settings);
    this.#images = new BuiltImages(this.#connection, new BuildLayers(this.#connection));
    this.#cache = new BuildKitCache(this.#connection);
    this.#firewall = new BuildFirewall(settings.firewall ?? 'off');
  }

  async build(request: BuildRequest, onOutput: (text: string) => void, operation: Operation): Promise<MadeImage> {
    const dockerfile = forBuildKit(request.dockerfile.text);
    if ('message' in dockerfile) throw new BuildFailed(`Line ${dockerfile.line}: ${dockerfile.message}`);
    await this.#images.refuseTriggers(request, defectOfTrigger, operation);
    const open = await this.#firewall.close(await this.bridge(operation));
    if (open !== null) onOutput(`Warning: build_network_open: steps can reach private addresses: ${open}\n`);
    const before = await this.#cache.ids(operation.signal);
    const mask = new SecretMask(request.secrets.values(), onOutput);
    const watch = new BuildWatch(request.limits, operation);
    try {
      const id = await this.inSession({ ...request, text: dockerfile.text }, watch, mask, operation);
      return { ...(await this.#images.inspect(id, operation)), layers: [] };
    } catch (error) {
      watch.signal.throwIfAborted();
      if (error instanceof EngineRefusal)
        throw new BuildFailed(mask.masked(`The engine refused the build: ${error.message}`));
      throw error instanceof BuildFailed ? new BuildFailed(mask.masked(error.message)) : error;
    } finally {
      watch.end();
      mask.end();
      const removed = this.#cache.removeSince(before).catch(() => undefined);
      // The caller who cancelled does not wait for this.
      if (!operation.signal?.aborted) await removed;
    }
  }

  remove(reference: string, operation: Operation, layers: readonly string[] = []): Promise<boolean> {
    return this.#images.remove(reference, operation, layers);
  }

  private async inSession(
    request: BuildRequest & { readonly text: string },
    watch: BuildWatch,
    mask: SecretMask,
    { guard }: Operation,
  ): Promise<string> {
    const { dockerfile, text, limits } = request;
    const session = await BuildKitSession.open(this.#connection, request.secrets, watch.signal);
    // The engine responds before it has read the whole context.
    const context = await buildContext({ ...request, dockerfile: { ...dockerfile, text } }, watch.signal);
    try {
      const times = { timeoutMs: limits.totalMs, signal: watch.signal, guard };
      const answer = await this.#connection.dial(times, buildCall(request, session.id, context));
      return await this.follow(answer as NodeJS.ReadableStream, request, watch, mask);
    } finally {
      context.destroy();
      session.close();
    }
  }

  /** @returns the id of the built image */
  private async follow(
    answer: NodeJS.ReadableStream,
    { limits }: BuildRequest,
    watch: BuildWatch,
    mask: SecretMask,
  ): Promise<string> {
    const progress = new BuildKitProgress();
    let id: string | null = null;
    for await (const { value } of jsonLines(answer)) {
      const { error, aux, id: kind } = value as BuildEvent;
      if (error !== undefined) throw buildFailure(error, progress.tail, limits);
      if (typeof aux === 'object') id = aux.ID ?? id;
      if (typeof aux !== 'string' || kind !== 'moby.buildkit.trace') continue;
      const said = progress.read(aux);
      watch.heard(said);
      mask.write(said);
    }
    watch.signal.throwIfAborted();
    if (id === null) throw new BuildFailed('The build ended without an image.');
    return id;
  }

  /** The interface of the network in which BuildKit runs every step. */
  private async bridge({ signal }: Operation): Promise<string> {
    const found = (await this.#connection.ask(signal, (docker) => docker.getNetwork('bridge').inspect())) as {
      readonly Options?: Readonly<Record<string, string>> | null;
    };
    return found.Options?.[BRIDGE_OPTION] ?? 'docker0';
  }
}

function defectOfTrigger(instruction: string): string | null {
  return triggerDefect(instruction) ?? buildKitTriggerDefect(instruction);
}

function buildCall({ buildArgs, dockerfile, reference }: BuildRequest, session: string, context: Readable): object {
  const query = {
    version: '2',
    session,
    t: reference,
    dockerfile: dockerfile.path,
    buildargs: JSON.stringify(Object.fromEntries([...buildArgs].filter(([name]) => !isForBuildKit(name)))),
    // A step's cache key does not include its secrets.
    nocache: '1',
  };
  return {
    method: 'POST',
    path: '/build?',
    options: { _query: query },
    file: context,
    isStream: true,
    headers: { 'Content-Type': 'application/x-tar' },
    statusCodes: { 200: true },
  };
}

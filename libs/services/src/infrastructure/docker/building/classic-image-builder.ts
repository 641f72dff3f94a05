import type Docker from 'dockerode';
import type { Operation } from '../../../application/ports/engine/container-runtime.js';
import {
  BuildFailed,
  ImageBuilder,
  type BuildRequest,
  type MadeImage,
} from '../../../application/ports/git/image-builder.js';
import { EngineRefusal } from '../docker-errors.js';
import { EngineConnection, type EngineSettings } from '../engine/engine-connection.js';
import { jsonLines } from '../json-lines.js';
import { buildContext } from './build-context.js';
import { buildFailure } from './build-failures.js';
import { BuildFirewall, type FirewallPolicy } from './build-firewall.js';
import { BuildLayers } from './build-layers.js';
import { triggerDefect } from '../../../domain/building/dockerfile-images.js';
import { BuildNetwork } from './build-network.js';
import { BuildSteps } from './build-steps.js';
import { BuildWatch } from './build-watch.js';
import { BuiltImages } from './built-images.js';
import { StepWatch } from './step-watch.js';

const CPU_PERIOD = 100_000;

const NO_SECRETS =
  'Build secrets cannot be kept out of the image: the operator of this panel has not turned on BuildKit (BUILD_BUILDKIT).';

interface BuildEvent {
  readonly stream?: string;
  readonly error?: string;
  readonly aux?: { readonly ID?: string };
}

export interface ClassicBuilderSettings extends EngineSettings {
  readonly instance?: string | null;
  /** `off` by default. */
  readonly firewall?: FirewallPolicy;
}

interface Followers {
  readonly watch: BuildWatch;
  readonly looks: StepWatch;
  readonly steps: BuildSteps;
  readonly onOutput: (text: string) => void;
}

/** The builder that every engine has. It supports limits of memory and CPU for each build. */
export class ClassicImageBuilder extends ImageBuilder {
  readonly #connection: EngineConnection;
  readonly #network: BuildNetwork;
  readonly #firewall: BuildFirewall;
  readonly #layers: BuildLayers;
  readonly #images: BuiltImages;

  constructor(settings: ClassicBuilderSettings) {
    super();
    this.#connection = new EngineConnection(settings);
    this.#network = new BuildNetwork(
      this.#connection,
      settings.instance ? `panel-build-${settings.instance}` : 'panel-build',
    );
    this.#layers = new BuildLayers(this.#connection);
    this.#images = new BuiltImages(this.#connection, this.#layers);
    this.#firewall = new BuildFirewall(settings.firewall ?? 'off');
  }

  async build(request: BuildRequest, onOutput: (text: string) => void, operation: Operation): Promise<MadeImage> {
    if (request.secrets.size > 0) throw new BuildFailed(NO_SECRETS);
    await this.#images.refuseTriggers(request, triggerDefect, operation);
    const open = await this.#firewall.close(await this.#network.ensure(operation));
    if (open !== null) onOutput(`Warning: build_network_open: steps can reach private addresses: ${open}\n`);
    const steps = new BuildSteps();
    const watch = new BuildWatch(request.limits, operation);
    const looks = new StepWatch(this.#connection, this.#network.name, request.limits, watch);
    try {
      const context = await buildContext(request, watch.signal);
      const limits = { timeoutMs: request.limits.totalMs, signal: watch.signal, guard: operation.guard };
      const answer = await this.#connection
        .call(limits, (docker) => docker.buildImage(context, optionsOf(request, this.#network.name)))
        .finally(() => context.destroy());
      const id = await this.follow(answer, request, { watch, looks, steps, onOutput });
      watch.signal.throwIfAborted();
      return { ...(await this.#images.inspect(id, operation)), layers: steps.layers };
    } catch (error) {
      const removed = this.#layers.remove(steps.layers).catch(() => undefined);
      // The caller who cancelled does not wait for this.
      if (!operation.signal?.aborted) await removed;
      watch.signal.throwIfAborted();
      if (error instanceof EngineRefusal) throw new BuildFailed(`The engine refused the build: ${error.message}`);
      throw error;
    } finally {
      looks.end();
      watch.end();
    }
  }

  remove(reference: string, operation: Operation, layers: readonly string[] = []): Promise<boolean> {
    return this.#images.remove(reference, operation, layers);
  }

  /** @returns the id of the built image */
  private async follow(
    answer: NodeJS.ReadableStream,
    { limits }: BuildRequest,
    { watch, looks, steps, onOutput }: Followers,
  ): Promise<string> {
    let id: string | null = null;
    for await (const { value } of jsonLines(answer)) {
      const { stream, error, aux } = value as BuildEvent;
      watch.heard(stream ?? '');
      if (error !== undefined) throw buildFailure(error, steps.tail, limits);
      id = aux?.ID ?? id;
      if (stream === undefined) continue;
      if (steps.read(stream)) void looks.look();
      onOutput(stream);
    }
    watch.signal.throwIfAborted();
    if (id === null) throw new BuildFailed('The build ended without an image.');
    return id;
  }
}

function optionsOf(
  { buildArgs, dockerfile, limits, reference }: BuildRequest,
  network: string,
): Docker.ImageBuildOptions {
  const memory = limits.memoryMb * 1024 * 1024;
  return {
    t: reference,
    dockerfile: dockerfile.path,
    networkmode: network,
    memory,
    // The same as the memory limit, which means no swap.
    memswap: memory,
    cpuperiod: CPU_PERIOD,
    cpuquota: Math.round(limits.cpuCores * CPU_PERIOD),
    buildargs: Object.fromEntries(buildArgs),
    rm: true,
    forcerm: true,
    // Every image has been pulled already, from a registry that was checked.
    pull: undefined,
  };
}

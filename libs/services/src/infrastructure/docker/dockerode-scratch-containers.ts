import type { ContainerCreateOptions } from 'dockerode';
import type { Operation } from '../../application/ports/engine/container-runtime.js';
import {
  ScratchContainers,
  type ScratchContainer,
  type ScratchState,
} from '../../application/ports/engine/scratch-containers.js';
import { tarOf } from './container-files.js';
import { createFailure, isRefusal, startFailure, unexpected } from './docker-errors.js';
import { EngineConnection, type EngineSettings } from './engine/engine-connection.js';
import { environment } from './to-create-options.js';

const PURPOSE = 'panel.scratch';
const INSTANCE = 'panel.instance';
const PIDS = 2048;
const STOP_SECONDS = 60;
/** The capabilities that entrypoints of databases need to own their data folder and switch to their own user. */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID'];

interface ScratchSettings extends EngineSettings {
  /** Name of this panel among several on one engine; null for the only one. */
  readonly instance: string | null;
}

export class DockerodeScratchContainers extends ScratchContainers {
  readonly #connection: EngineConnection;
  readonly #instance: string | null;

  /** Does not connect yet. @throws RangeError for a host in another form than `DOCKER_HOST` takes */
  constructor(settings: ScratchSettings) {
    super();
    this.#connection = new EngineConnection(settings);
    this.#instance = settings.instance;
  }

  async start(container: ScratchContainer, signal?: AbortSignal): Promise<string> {
    const operation = unguarded(signal);
    const id = await this.#create(container, operation);
    try {
      if (container.files.length > 0) {
        const tar = await tarOf(container.files);
        await this.#connection.change(operation, (docker) => docker.getContainer(id).putArchive(tar, { path: '/' }));
      }
      await this.startAgain(id, signal);
      return id;
    } catch (error) {
      await this.remove(id).catch(() => undefined);
      throw createFailure(error);
    }
  }

  async stop(containerId: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.#connection.change(
        unguarded(signal),
        (docker) => docker.getContainer(containerId).stop({ t: STOP_SECONDS }),
        STOP_SECONDS * 1000,
      );
    } catch (error) {
      if (!isRefusal(error, 304)) throw unexpected(error);
    }
  }

  async startAgain(containerId: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.#connection.change(unguarded(signal), (docker) => docker.getContainer(containerId).start());
    } catch (error) {
      if (!isRefusal(error, 304)) throw startFailure(error);
    }
  }

  async look(containerId: string, signal?: AbortSignal): Promise<ScratchState | null> {
    try {
      const { State } = await this.#connection.look(signal, (docker) => docker.getContainer(containerId).inspect());
      return { isRunning: State.Running, exitCode: State.Running ? null : State.ExitCode, oomKilled: State.OOMKilled };
    } catch (error) {
      if (isRefusal(error, 404)) return null;
      throw unexpected(error);
    }
  }

  async remove(containerId: string): Promise<void> {
    try {
      await this.#connection.change(unguarded(), (docker) =>
        docker.getContainer(containerId).remove({ force: true, v: true }),
      );
    } catch (error) {
      if (!isRefusal(error, 404) && !isRefusal(error, 409)) throw unexpected(error);
    }
  }

  async removeAll(purpose: string, signal?: AbortSignal): Promise<number> {
    const label = [`${PURPOSE}=${purpose}`];
    const found = await this.#connection.ask(signal, (docker) =>
      docker.listContainers({ all: true, filters: { label } }),
    );
    const mine = found.filter(({ Labels }) => (Labels[INSTANCE] ?? null) === this.#instance);
    for (const { Id } of mine) await this.remove(Id);
    return mine.length;
  }

  async #create(container: ScratchContainer, operation: Operation): Promise<string> {
    const bytes = container.memoryMb * 2 ** 20;
    const options: ContainerCreateOptions = {
      Image: container.imageId,
      Env: environment(container.environment),
      ...(container.command === null ? {} : { Cmd: [...container.command] }),
      Labels: { [PURPOSE]: container.purpose, ...(this.#instance === null ? {} : { [INSTANCE]: this.#instance }) },
      // The image's own check only costs time, because the caller asks the database itself.
      Healthcheck: { Test: ['NONE'] },
      HostConfig: {
        NetworkMode: 'none',
        Privileged: false,
        CapDrop: ['ALL'],
        CapAdd: CAPABILITIES,
        SecurityOpt: ['no-new-privileges:true'],
        IpcMode: 'private',
        PidsLimit: PIDS,
        NanoCpus: Math.round(container.cpuCores * 1e9),
        Memory: bytes,
        MemorySwap: bytes,
        ...(container.shmMb === null ? {} : { ShmSize: container.shmMb * 2 ** 20 }),
        RestartPolicy: { Name: 'no' },
        LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } },
      },
    };
    try {
      const { id } = await this.#connection.change(operation, (docker) => docker.createContainer(options));
      return id;
    } catch (error) {
      throw createFailure(error);
    }
  }
}

function unguarded(signal?: AbortSignal): Operation {
  return { guard: () => Promise.resolve(), ...(signal && { signal }) };
}

import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import { SecretText } from '#kernel/crypto/secret-text';
import { ContainerRuntime, parseImageReference, ScratchContainers, TemplateCommands } from '#libs/services';
import {
  generatedPassword,
  PASSWORD,
  resolveText,
  TemplateCatalog,
  type Template,
  type TemplateInput,
  type Text,
} from '#libs/templates';
import type { Backup } from '../../domain/backup.js';
import { DatabaseServices } from '../database-services.js';
import type { DatabaseTarget } from '../programs/database-target.js';
import { BackupSettings } from '../settings.js';

export const PROOF_PURPOSE = 'backup-proof';

const POLL_MS = 300;
const READY_MS = 300_000;

/** The backup could not be restored for a trial on this installation, which says nothing about the backup itself. */
export class TrialImpossible extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'TrialImpossible';
  }
}

/** Throw-away database servers for trial restores: the same image, no network and limits of their own. */
@Injectable()
export class TrialServers {
  constructor(
    private readonly services: DatabaseServices,
    private readonly scratch: ScratchContainers,
    private readonly runtime: ContainerRuntime,
    private readonly catalog: TemplateCatalog,
    private readonly commands: TemplateCommands,
    private readonly settings: BackupSettings,
    private readonly randomness: Randomness,
  ) {}

  /** Runs `work` with a trial server. @throws TrialImpossible when no server can be started; whatever `work` throws */
  async use<T>(backup: Backup, signal: AbortSignal, work: (target: DatabaseTarget) => Promise<T>): Promise<T> {
    const { template, method } = this.services.ofOrigin(backup.state.origin);
    const memoryMb = this.memoryFor(backup, template, method.livesInMemory);
    // Only one verification runs at a time, so any trial server that exists was left by a worker that died.
    await this.scratch.removeAll(PROOF_PURPOSE, signal);
    const { hostName, database, user } = backup.state.origin;
    const input = { serviceName: hostName, database, user, memoryMb, cpuCores: this.settings.proofCpuCores };
    const secrets = new Map(
      [PASSWORD, ...template.ownSecrets].map((name) => [name, generatedPassword(this.randomness)] as const),
    );
    const containerId = await this.start(backup, template, input, secrets, method.trialArguments, signal);
    const ready = (until: AbortSignal) => this.untilReady(containerId, template, input, secrets, until);
    const restart = async (until: AbortSignal) => {
      await this.scratch.stop(containerId, until);
      await this.scratch.startAgain(containerId, until);
      await ready(until);
    };
    try {
      await ready(signal);
      return await work({ containerId, template: template.slug, input, secrets, restart });
    } catch (error) {
      const state = await this.scratch.look(containerId).catch(() => null);
      if (state?.oomKilled)
        throw new TrialImpossible(`The trial needs more memory than the ${memoryMb} MB it may have.`);
      throw error;
    } finally {
      await this.scratch.remove(containerId).catch(() => undefined);
    }
  }

  /** Memory limit of the trial server in MB. @throws TrialImpossible when the backup is too large or needs too much */
  private memoryFor({ state }: Backup, { minRamMb }: Template, livesInMemory: boolean): number {
    const { proofMemoryMb, proofMaxBytes } = this.settings;
    if ((state.sizeBytes ?? 0) > proofMaxBytes)
      throw new TrialImpossible(`The backup is larger than the ${proofMaxBytes} bytes that are verified here.`);
    const needed = livesInMemory ? state.origin.memoryMb : minRamMb;
    if (needed > proofMemoryMb)
      throw new TrialImpossible(`The trial needs ${needed} MB of memory; ${proofMemoryMb} MB are allowed.`);
    return Math.max(needed, Math.min(state.origin.memoryMb, proofMemoryMb));
  }

  private async start(
    { state }: Backup,
    template: Template,
    input: TemplateInput,
    secrets: ReadonlyMap<string, SecretText>,
    trialArguments: readonly string[],
    signal: AbortSignal,
  ): Promise<string> {
    const recipe = template.recipe(input);
    const clear = (name: string) => secrets.get(name)?.reveal() ?? '';
    const text = (value: Text) => new SecretText(resolveText(value, clear));
    const container = {
      purpose: PROOF_PURPOSE,
      command: recipe.command && [...recipe.command, ...trialArguments],
      environment: new Map(Object.entries(recipe.environment).map(([name, value]) => [name, text(value)])),
      files: recipe.files.map((file) => ({ ...file, content: text(file.content) })),
      cpuCores: input.cpuCores,
      memoryMb: input.memoryMb,
      shmMb: recipe.shmMb,
    };
    const { imageId, image } = state.origin;
    try {
      if (imageId !== null) return await this.scratch.start({ ...container, imageId }, signal);
    } catch (error) {
      if (!(error instanceof DomainError) || !/no such image/i.test(error.message)) throw error;
    }
    return this.scratch.start({ ...container, imageId: await this.pulled(image, signal) }, signal);
  }

  /** The exact image is gone from the engine. The newest one with the same tag can read its data. */
  private async pulled(image: string, signal: AbortSignal): Promise<string> {
    const reference = parseImageReference(this.catalog.referenceOf(image));
    if (!reference) throw new TrialImpossible(`The image cannot be pulled: ${image} is not a valid reference.`);
    const operation = { guard: () => Promise.resolve(), signal };
    return (await this.runtime.pullImage({ image: reference, policy: 'if-missing' }, operation)).id;
  }

  private async untilReady(
    containerId: string,
    template: Template,
    input: TemplateInput,
    secrets: ReadonlyMap<string, SecretText>,
    signal: AbortSignal,
  ): Promise<void> {
    const login = template.login(input, PASSWORD);
    const operation = { guard: () => Promise.resolve(), signal };
    for (const until = performance.now() + READY_MS; performance.now() < until;) {
      const state = await this.scratch.look(containerId, signal);
      if (!state?.isRunning)
        throw new TrialImpossible(`The server for the trial ended with ${state?.exitCode ?? 'nothing'}.`);
      const result = await this.commands.run(containerId, login, secrets, operation).catch(() => null);
      if (result && login.succeeded(result)) return;
      await sleep(POLL_MS, undefined, { signal });
    }
    throw new TrialImpossible('The server for the trial did not become ready.');
  }
}

import { Injectable } from '@nestjs/common';
import { SecretText } from '#kernel/crypto/secret-text';
import { builtImageName } from '../../domain/building/built-image.js';
import { parseImageReference } from '../../domain/compose/values/image-reference.js';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import type { Deployment } from '../../domain/deploying/deployment.js';
import { parseGitAddress } from '../../domain/git/git-address.js';
import { parseGitRef, type GitRef } from '../../domain/git/git-ref.js';
import type { GitSource } from '../../domain/git/git-source.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import type { ImageReference } from '../../domain/service-plan.js';
import type { ServiceState } from '../../domain/service-state.js';
import type { RunningOperation } from '../deploying/running-operation.js';
import type { LocalImage, Operation } from '../ports/engine/container-runtime.js';
import { BuildRecords } from '../ports/git/build-records.js';
import { BuildTurns } from '../ports/git/build-turns.js';
import { GitCheckout, type ClonedRepository } from '../ports/git/git-checkout.js';
import { ImageBuilder, type MadeImage } from '../ports/git/image-builder.js';
import { ImageRegistry } from '../ports/git/image-registry.js';
import { ServiceRecords } from '../service-records.js';
import { ImageSelection } from '../deploying/image-selection.js';
import { BuildOutput } from './build-output.js';
import { BuildingSettings } from './building-settings.js';
import { Dockerfiles } from './dockerfiles.js';

/** How often a running build checks whether its deployment was cancelled. */
const LOOK_MS = 400;

export interface BuiltImage {
  readonly image: LocalImage;
  /** The name of the image. */
  readonly reference: ImageReference;
}

interface NamedImage {
  readonly name: string;
  readonly image: MadeImage;
}

/** The steps `clone` and `build`: from a repository to an image. The running containers are not touched. */
@Injectable()
export class SourceBuild {
  constructor(
    private readonly checkout: GitCheckout,
    private readonly builder: ImageBuilder,
    private readonly registry: ImageRegistry,
    private readonly turns: BuildTurns,
    private readonly built: BuildRecords,
    private readonly images: ImageSelection,
    private readonly records: ServiceRecords,
    private readonly settings: BuildingSettings,
    private readonly dockerfiles: Dockerfiles,
  ) {}

  /**
   * The current deployment, for a redeployment, if the engine still has its image.
   * @returns null if the image must be built
   */
  async deployed(run: RunningOperation, service: ServiceState): Promise<Deployment | null> {
    if (run.deployment.trigger !== 'redeploy' || service.currentDeploymentId === null) return null;
    const current = await this.records.deployments.get(OrganisationScope.everything, service.currentDeploymentId);
    const kept = await this.built.images(service.id);
    const isKept = current?.topology?.members.some(({ imageId }) => kept.some((one) => one.imageId === imageId));
    if (!current || !isKept || current.state.specVersion !== run.deployment.state.specVersion) return null;
    return current;
  }

  /** @throws CloneFailed, BuildFailed, DeployFailure, errors of the runtime */
  async build(run: RunningOperation, service: ServiceState, source: GitSource): Promise<BuiltImage> {
    const stop = new Cancellation(run.operation);
    try {
      const repository = await run.step('clone', () => this.clone(run, service, source, stop.operation));
      try {
        return await run.step('build', () => this.inTurn(run, service, source, repository, stop.operation));
      } finally {
        await repository.close();
      }
    } finally {
      stop.end();
    }
  }

  private async clone(
    run: RunningOperation,
    service: ServiceState,
    source: GitSource,
    { signal }: Operation,
  ): Promise<ClonedRepository> {
    const ref = await this.refOf(run, service, source);
    const parsed = parseGitAddress(source.url);
    if ('defect' in parsed) throw new DeployFailure('clone_failed', `The address ${parsed.defect}.`);
    const deployKey = source.deployKey === null ? null : new SecretText(source.deployKey);
    const output = new BuildOutput(run);
    try {
      output.say(`Cloning ${parsed.address.url}, ${ref.kind === 'branch' ? ref.name : ref.sha}.`);
      const request = { address: parsed.address, ref, deployKey, knownHosts: source.knownHosts };
      const repository = await this.checkout.clone(request, signal);
      output.say(`Commit ${repository.commit}: ${repository.subject}`);
      if (repository.list().some(({ kind }) => kind === 'submodule'))
        output.say('Warning: submodules_ignored: the repository has submodules, whose folders stay empty.');
      await run.write((_, deployment) => deployment.noteCommit(repository.commit));
      return repository;
    } finally {
      output.end();
    }
  }

  /** The requested ref; otherwise, if the source is unchanged, the deployed commit; otherwise the branch. */
  private async refOf(run: RunningOperation, service: ServiceState, source: GitSource): Promise<GitRef> {
    const asked = await this.built.requestedRef(run.deployment.id);
    const deployed = run.deployment.trigger === 'redeploy' ? await this.deployedCommit(service) : null;
    const ref = parseGitRef(asked ?? deployed ?? source.branch);
    if (!ref) throw new DeployFailure('clone_failed', 'The branch name is not valid.');
    return ref;
  }

  private async deployedCommit({ currentDeploymentId }: ServiceState): Promise<string | null> {
    if (currentDeploymentId === null) return null;
    return (
      (await this.records.deployments.get(OrganisationScope.everything, currentDeploymentId))?.state.commitSha ?? null
    );
  }

  private async inTurn(
    run: RunningOperation,
    service: ServiceState,
    source: GitSource,
    repository: ClonedRepository,
    operation: Operation,
  ): Promise<BuiltImage> {
    const output = new BuildOutput(run);
    const tell = (before: number) => {
      if (before > 0)
        output.say(`Waiting for a turn: ${before} ${before === 1 ? 'build is' : 'builds are'} ahead of this one.`);
    };
    try {
      const work = () => this.make(run, service, source, repository, output, operation);
      const made = await this.turns.inTurn(run.deployment.id, tell, operation.signal!, work);
      // A slow registry holds up no other build.
      return await this.publish(run, service, made, output, operation);
    } finally {
      output.end();
    }
  }

  private async make(
    run: RunningOperation,
    service: ServiceState,
    source: GitSource,
    repository: ClonedRepository,
    output: BuildOutput,
    operation: Operation,
  ): Promise<NamedImage> {
    const { limits, registry } = this.settings;
    const say = (text: string) => output.say(text);
    const dockerfile = await this.dockerfiles.choose(repository, source, say, operation.signal);
    const policy = run.deployment.trigger === 'redeploy' ? 'always' : 'if-missing';
    for (const image of dockerfile.images) {
      await this.images.fetch(image, policy, operation, say);
    }
    const tag = `${repository.commit.slice(0, 12)}-${run.deployment.id.slice(-8)}`;
    const name = builtImageName(registry, service.id, tag);
    const request = {
      repository,
      folder: source.baseDirectory,
      dockerfile,
      reference: name,
      buildArgs: dockerfile.buildArgs,
      secrets: new Map(Object.entries(source.buildSecrets).map(([id, text]) => [id, new SecretText(text)])),
      limits,
    };
    return { name, image: await this.builder.build(request, (text) => output.write(text), operation) };
  }

  private async publish(
    run: RunningOperation,
    service: ServiceState,
    { name, image: { layers, ...image } }: NamedImage,
    output: BuildOutput,
    operation: Operation,
  ): Promise<BuiltImage> {
    const digest = await this.push(name, output, operation).catch(async (error: unknown) => {
      await this.builder.remove(name, run.undo, layers).catch(() => undefined);
      throw error;
    });
    const record = { deploymentId: run.deployment.id, reference: name, imageId: image.id, digest, layers };
    await this.records.transactions.run(() => this.built.keep(service.id, record, this.records.clock.now()));
    return { image: { ...image, digest }, reference: parseImageReference(name)! };
  }

  /** @returns null if there is no registry to push to */
  private async push(name: string, output: BuildOutput, operation: Operation): Promise<string | null> {
    if (this.settings.registry === null) return null;
    output.say(`Pushing ${name}.`);
    const digest = await this.registry.push(name, operation);
    output.say(`Pushed, ${digest}.`);
    return digest;
  }
}

/** Aborts long work soon after its deployment was cancelled. The lease is renewed too seldom for that. */
class Cancellation {
  readonly #ended = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly operation: Operation;

  constructor(operation: Operation) {
    const { signal } = operation;
    const ends = signal ? AbortSignal.any([signal, this.#ended.signal]) : this.#ended.signal;
    this.operation = { guard: operation.guard, signal: ends };
    this.#timer = setInterval(() => {
      operation.guard().catch((reason: unknown) => {
        // If the database is unavailable, nothing was cancelled. The lease runs out by itself.
        if (reason instanceof DeployFailure) this.#ended.abort(reason);
      });
    }, LOOK_MS);
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

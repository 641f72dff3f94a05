import { Injectable } from '@nestjs/common';
import type { GitSource } from '../../domain/git/git-source.js';
import type { ClonedRepository } from '../ports/git/git-checkout.js';
import { Nixpacks } from '../ports/git/nixpacks.js';
import { ServicesSettings } from '../settings.js';
import { BuildingSettings } from './building-settings.js';
import { checkChosen, chooseDockerfile, type ChosenDockerfile } from './dockerfile-choice.js';

/** Chooses and checks the Dockerfile for a repository, depending on its build method. */
@Injectable()
export class Dockerfiles {
  constructor(
    private readonly nixpacks: Nixpacks,
    private readonly building: BuildingSettings,
    private readonly services: ServicesSettings,
  ) {}

  /**
   * @param say writes to the log how it was chosen
   * @throws BuildFailed; DeployFailure `build_failed`; the reason of the signal
   */
  async choose(
    repository: ClonedRepository,
    source: GitSource,
    say: (text: string) => void,
    signal?: AbortSignal,
  ): Promise<ChosenDockerfile> {
    const { allowedRegistries } = this.services;
    if (source.buildMethod === 'nixpacks') return this.byNixpacks(repository, source, say, signal);
    return chooseDockerfile(repository, source, { baseImages: this.building.baseImages, allowedRegistries }, say);
  }

  private async byNixpacks(
    repository: ClonedRepository,
    { baseDirectory: folder, buildArgs: given }: GitSource,
    say: (text: string) => void,
    signal?: AbortSignal,
  ): Promise<ChosenDockerfile> {
    const request = { repository, folder, variables: new Map(Object.entries(given)) };
    const { dockerfile, files, variables: buildArgs } = await this.nixpacks.plan(request, signal);
    const { path, text } = dockerfile;
    say(`The Dockerfile of nixpacks:\n${text}`);
    const rules = { buildArgs, registries: this.services.allowedRegistries, name: 'The Dockerfile of nixpacks' };
    return { ...checkChosen(text, rules, say), path, files, buildArgs };
  }
}

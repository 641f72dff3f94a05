import type { ClonedRepository } from './git-checkout.js';

export interface NixpacksRequest {
  readonly repository: ClonedRepository;
  /** '' for all of it. */
  readonly folder: string;
  /** Its own settings (`NIXPACKS_…`) among them. Others can see them in the list of processes. */
  readonly variables: ReadonlyMap<string, string>;
}

/** How nixpacks would build a repository. */
export interface NixpacksPlan {
  readonly dockerfile: { readonly path: string; readonly text: string };
  /** What the Dockerfile needs besides the repository, by path in the folder. */
  readonly files: ReadonlyMap<string, string>;
  /** Values for the ARG instructions of the Dockerfile. */
  readonly variables: ReadonlyMap<string, string>;
}

/** The installed program nixpacks, which only plans: what it plans is built like every other Dockerfile. */
export abstract class Nixpacks {
  /** @throws BuildFailed, also when it is not installed; the reason of the signal */
  abstract plan(request: NixpacksRequest, signal?: AbortSignal): Promise<NixpacksPlan>;
}

import type { ClonedRepository } from './git-checkout.js';

export interface NixpacksRequest {
  readonly repository: ClonedRepository;
  /** '' for the whole repository. */
  readonly folder: string;
  /** Variables, including settings of nixpacks (`NIXPACKS_…`). They are visible in process lists. */
  readonly variables: ReadonlyMap<string, string>;
}

/** How nixpacks would build a repository. */
export interface NixpacksPlan {
  readonly dockerfile: { readonly path: string; readonly text: string };
  /** Files that the Dockerfile needs in addition to the repository, by path relative to the folder. */
  readonly files: ReadonlyMap<string, string>;
  /** Values for the ARG instructions of the Dockerfile. */
  readonly variables: ReadonlyMap<string, string>;
}

/** The installed program nixpacks. It only writes a Dockerfile, which is then built like any other. */
export abstract class Nixpacks {
  /** @throws BuildFailed, also if nixpacks is not installed; the reason of the signal */
  abstract plan(request: NixpacksRequest, signal?: AbortSignal): Promise<NixpacksPlan>;
}

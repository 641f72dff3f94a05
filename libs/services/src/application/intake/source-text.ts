import type { GitSource } from '../../domain/git/git-source.js';

/** Source text of a service before it has been planned. */
export interface SourceText {
  readonly composeYaml: string;
  readonly variables: ReadonlyMap<string, string>;
  /** Where its image is built from; the panel itself wrote the compose file then. */
  readonly git?: GitSource | null;
}

import type { GitSource } from '../../domain/git/git-source.js';

/** The source text of a service, before planning. */
export interface SourceText {
  readonly composeYaml: string;
  readonly variables: ReadonlyMap<string, string>;
  /** The repository that its image is built from. The panel then wrote the compose file itself. */
  readonly git?: GitSource | null;
}

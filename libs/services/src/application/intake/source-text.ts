/** Source text of a service before it has been planned. */
export interface SourceText {
  readonly composeYaml: string;
  readonly variables: ReadonlyMap<string, string>;
}

/** Settings for commit statuses. */
export abstract class CommitStatusSettings {
  /** Public URL of the panel, without a trailing slash. */
  abstract readonly panelUrl: string;
}

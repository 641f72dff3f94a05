/** What an installation says about itself at Git hosts. */
export abstract class CommitStatusSettings {
  /** Where people see the panel, without a slash at the end. */
  abstract readonly panelUrl: string;
}

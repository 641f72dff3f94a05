/** Distinguishes this panel from others on the same engine. */
export abstract class PanelIdentity {
  /** A name of the form `panel-…`. It is stored in the database, so all processes have the same one. */
  abstract name(): Promise<string>;
}

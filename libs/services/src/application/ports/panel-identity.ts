/** Distinguishes this panel from others on the same engine. */
export abstract class PanelIdentity {
  /** `panel-…`, the same in every process and for as long as the database lives. */
  abstract name(): Promise<string>;
}

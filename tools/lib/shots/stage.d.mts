/** Ids of what is on it. */
export interface Stage {
  readonly shop: string;
  readonly cache: string;
  readonly broken: string;
  readonly pushed: string;
  readonly database: string;
  readonly failure: string;
  readonly template: string;
  readonly organisation: string;
}

export function setStage(
  panel: { readonly panelApi: string; readonly panelAdminKey: string },
  registry: string,
  signal: AbortSignal,
): Promise<Stage>;

import type { Stage } from './stage.mjs';

export interface WrittenRows {
  readonly analysis: string;
  readonly preview: string;
}

export function addWrittenRows(databaseUrl: string, stage: Stage): Promise<WrittenRows>;

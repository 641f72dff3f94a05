import type { StatementState } from './statement.js';

export const EXPORT_FORMATS = ['csv', 'json'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export function isExportFormat(text: unknown): text is ExportFormat {
  return (EXPORT_FORMATS as readonly unknown[]).includes(text);
}

/** The file name of a statement: `statement_{partnerId}_{YYYY-MM}_r{revision}.{csv|json}`. */
export function statementFileName(
  { partnerId, period, revision }: Pick<StatementState, 'partnerId' | 'period' | 'revision'>,
  format: ExportFormat,
): string {
  return `statement_${partnerId}_${period.toString()}_r${revision}.${format}`;
}

/** Files whose bytes are fixed when a statement is finalized; its JSON says `superseded` after a correction. */
export const EXPORTED_FILES = ['csv', 'json-finalized', 'json-superseded'] as const;

export type ExportedFile = (typeof EXPORTED_FILES)[number];

import { isExportFormat, statementFileName } from './statement-file.js';
import { aStatement } from '../../testing/a-statement.js';
import { idOf } from '../../testing/ids.js';

describe('the file of a statement', () => {
  it('is named after partner, month, revision and format', () => {
    const correction = aStatement({ revision: 2 });
    expect(statementFileName(aStatement(), 'csv')).toBe(`statement_${idOf('A')}_2026-06_r1.csv`);
    expect(statementFileName(correction, 'json')).toBe(`statement_${idOf('A')}_2026-06_r2.json`);
  });

  it('is csv or json', () => {
    expect(['csv', 'json'].every(isExportFormat)).toBe(true);
    expect(['CSV', 'xml', '', undefined, ['csv']].some(isExportFormat)).toBe(false);
  });
});

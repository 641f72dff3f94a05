import { assertRestored } from './restore-summary.js';

const AT = '2026-11-25T15:04:05.000+0000\t';
const said = (restored: number, failed: number) =>
  `${AT}finished restoring shop.books (3 documents, 0 failures)\n` +
  `${AT}${restored} document(s) restored successfully. ${failed} document(s) failed to restore.\n`;

describe('the summary of mongorestore', () => {
  it('is accepted when it agrees with the dump, or when the dump has no number of documents', () => {
    expect(() => assertRestored(said(3, 0), 3)).not.toThrow();
    expect(() => assertRestored(said(7, 0), null)).not.toThrow();
  });

  it.each([
    [said(2, 0), 3, 'mongorestore restored 2 documents, the dump has 3.'],
    [said(3, 1), 3, 'mongorestore could not restore 1 of the documents.'],
    [said(3, 1), null, 'mongorestore could not restore 1 of the documents.'],
    [`${AT}done\n`, 0, 'mongorestore does not say how many documents it has restored.'],
    [`${said(3, 0)}${AT}one line more\n`, 3, 'mongorestore does not say how many documents it has restored.'],
  ])('%s against %s documents is refused', (text, documents, message) => {
    expect(() => assertRestored(text, documents)).toThrow(message);
  });
});

import { find, type Clues } from './clues.js';

/** Notes the `web` line of a Procfile. It is explicit, so it takes precedence over every guess. */
export async function noteProcfile(clues: Clues): Promise<void> {
  const web = find(await clues.source('Procfile'), /^web:\s*(\S.*)$/);
  if (web) clues.note('start_command', web);
}

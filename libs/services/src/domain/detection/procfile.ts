import { find, type Clues } from './clues.js';

/** The `web` line of a Procfile is how its author starts the program: it goes before everything that is guessed. */
export async function noteProcfile(clues: Clues): Promise<void> {
  const web = find(await clues.source('Procfile'), /^web:\s*(\S.*)$/);
  if (web) clues.note('start_command', web);
}

import { presence, type Clues } from '../clues.js';
import type { Detection } from '../detection.js';

const FOLDERS = ['', 'public', 'dist', 'build', 'site', '_site', 'out', 'www', 'html', 'docs', 'src'];

/** A static site: files that a web server delivers unchanged. */
export function detectStatic(clues: Clues): Detection | null {
  const page = clues.first(...FOLDERS.map((folder) => (folder === '' ? 'index.html' : `${folder}/index.html`)));
  if (page === null) return null;
  clues.note('language', presence('static', page));
  const folder = page.slice(0, Math.max(page.lastIndexOf('/'), 0)) || '.';
  clues.note('output_folder', presence(folder, page));
  return clues.conclude({
    language: 'static',
    version: '2',
    buildCommands: [],
    startCommand: null,
    port: null,
    outputFolder: folder,
    recipe: { manifests: [], installCommands: [], systemPackages: [], artifact: null },
  });
}

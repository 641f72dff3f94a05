import { Clues } from './clues.js';
import type { Detection } from './detection.js';
import { detectGo } from './languages/go.js';
import { detectJava } from './languages/java.js';
import { detectNode } from './node/detect-node.js';
import { detectPhp } from './languages/php.js';
import { noteProcfile } from './procfile.js';
import { detectPython } from './python/detect-python.js';
import type { RepositoryTree } from './repository-tree.js';
import { detectRuby } from './languages/ruby.js';
import { detectRust } from './languages/rust.js';
import { detectStatic } from './languages/static-site.js';

/**
 * Node stands near the end: a package.json beside the files of another language builds its assets. PHP stands before
 * it and asks for more than a page, for the same reason.
 */
const DETECTORS = [
  detectGo,
  detectRust,
  detectJava,
  detectRuby,
  detectPython,
  detectPhp,
  detectNode,
  detectStatic,
] as const;

/**
 * Tells from the files of a repository how it is built and started, and where each of that stands. Nothing is run.
 * @returns null when no language is recognised
 */
export async function detect(tree: RepositoryTree): Promise<Detection | null> {
  for (const detector of DETECTORS) {
    const clues = new Clues(tree);
    await noteProcfile(clues);
    const detection = await detector(clues);
    if (detection) return detection;
  }
  return null;
}

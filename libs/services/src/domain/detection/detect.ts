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
 * The first match wins. Node is near the end, because repositories in other languages often have a package.json for
 * their assets. Static sites are last, because most web projects contain HTML pages.
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
 * Finds out from the files of a repository how to build and start it, with evidence. Nothing is executed.
 * @returns null if no language is recognised
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

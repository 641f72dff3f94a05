import { find, presence, type Clue, type Clues } from '../clues.js';
import type { Detection } from '../detection.js';

const DEFAULT_VERSION = '1.24';
const FRAMEWORKS: readonly (readonly [name: string, module: string])[] = [
  ['gin', 'github.com/gin-gonic/gin'],
  ['echo', 'github.com/labstack/echo'],
  ['fiber', 'github.com/gofiber/fiber'],
  ['chi', 'github.com/go-chi/chi'],
  ['gorilla', 'github.com/gorilla/mux'],
];
/** If there are several commands, one with such a name is taken to be the server. */
const SERVER_NAMES = ['server', 'web', 'api', 'app', 'main', 'serve'];

export async function detectGo(clues: Clues): Promise<Detection | null> {
  const module = await clues.source('go.mod');
  if (!module) return null;
  clues.note('language', presence('go', 'go.mod'));
  const asked = find(module, /^go\s+(\d+\.\d+)/);
  // Newer compilers build code for older versions, so an older version than the default is never used.
  const version = asked && isNewer(asked.value, DEFAULT_VERSION) ? asked.value : DEFAULT_VERSION;
  if (asked) clues.note('version', { ...asked, value: version });
  clues.note('package_manager', presence('go', 'go.mod'));
  for (const [name, path] of FRAMEWORKS) {
    const clue = find(module, new RegExp(`^\\s*(?:require\\s+)?${path.replace(/[.]/g, '\\.')}(?:/v\\d+)?\\s`));
    if (clue) clues.note('framework', { ...clue, value: name });
  }
  const folder = await mainFolder(clues, find(module, /^module\s+(\S+)/)?.value ?? '');
  if (folder) {
    const target = folder.value === '' ? '.' : `./${folder.value}`;
    clues.note('build_command', { ...folder, value: `go build -trimpath -o /out/app ${target}` });
  } else clues.warnings.push('No package main was found at the root or in a folder of cmd.');
  const build = clues.valueOf('build_command') ?? 'go build -trimpath -o /out/app .';
  const manifests = ['go.mod', 'go.sum'].filter((path) => clues.has(path));
  return clues.conclude({
    language: 'go',
    version,
    buildCommands: [build],
    startCommand: clues.valueOf('start_command') ?? '/app/app',
    port: null,
    outputFolder: null,
    recipe: {
      manifests: clues.has('vendor/modules.txt') || !clues.has('go.sum') ? [] : manifests,
      installCommands: clues.has('vendor/modules.txt') || !clues.has('go.sum') ? [] : ['go mod download'],
      systemPackages: [],
      artifact: '/out/app',
    },
  });
}

async function mainFolder(clues: Clues, module: string): Promise<Clue | null> {
  const isMain = async (paths: readonly string[]): Promise<Clue | null> => {
    for (const path of paths) {
      const clue = find(await clues.source(path), /^package main\b/);
      if (clue) return { ...clue, value: path.slice(0, Math.max(path.lastIndexOf('/'), 0)) };
    }
    return null;
  };
  const root = await isMain(clues.matching(/^[^/]+(?<!_test)\.go$/));
  if (root) return root;
  const folders = new Set(clues.matching(/^cmd\/[^/]+\/[^/]+\.go$/).map((path) => path.split('/')[1]!));
  const preferred = [module.split('/').at(-1) ?? '', ...SERVER_NAMES, ...folders].filter((name) => folders.has(name));
  if (folders.size > 1)
    clues.warnings.push(`Several commands: ${[...folders].sort().join(', ')}; ${preferred[0]} is built.`);
  for (const name of preferred) {
    const found = await isMain(
      clues.matching(new RegExp(`^cmd/${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/[^/]+\\.go$`)),
    );
    if (found) return found;
  }
  return isMain(clues.matching(/^cmd\/[^/]+\.go$/));
}

function isNewer(one: string, other: string): boolean {
  const [major = 0, minor = 0] = one.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major !== otherMajor ? major > otherMajor : minor > otherMinor;
}

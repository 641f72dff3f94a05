import { find, presence, property, type Clues } from '../clues.js';
import type { Detection } from '../detection.js';
import { builtIntoFiles, frameworkOf } from './frameworks.js';
import { installWith, packageManagerOf } from './packages.js';
import { objectAt, readPackageFile, type PackageFile } from './package-file.js';
import { chooseVersion } from '../version-choice.js';

const VERSIONS = ['22', '24', '20', '18'];
const ENTRY_FILES = ['server.js', 'app.js', 'index.js', 'main.js', 'src/index.js', 'src/server.js', 'index.mjs'];

export async function detectNode(clues: Clues): Promise<Detection | null> {
  const manifest = await readPackageFile(clues);
  if (!manifest) return null;
  clues.note('language', presence('node', manifest.path));
  const version = await versionOf(clues, manifest);
  const framework = frameworkOf(manifest);
  if (framework) clues.note('framework', property(manifest, framework.dependency, framework.name));
  const manager = packageManagerOf(clues, manifest);
  const outputFolder = await builtIntoFiles(clues, manifest, framework);
  if (outputFolder === null) noteStart(clues, manifest, framework?.start ?? null, manager);
  const buildScript = manifest.scripts.has('build') ? `${manager} run build` : null;
  if (buildScript) clues.note('build_command', property(manifest, 'build', buildScript));
  if (outputFolder === null && clues.valueOf('start_command') === null)
    clues.warnings.push('package.json has no start script, and no file to start was found.');
  return clues.conclude({
    language: 'node',
    version,
    buildCommands: buildScript ? [buildScript] : [],
    startCommand: clues.valueOf('start_command'),
    port: null,
    outputFolder,
    recipe: {
      ...installWith(manager, clues, manifest, buildScript !== null),
      systemPackages: [],
      artifact: null,
    },
  });
}

async function versionOf(clues: Clues, manifest: PackageFile): Promise<string> {
  const engines = objectAt(manifest.data, 'engines')['node'];
  const clue =
    find(await clues.source('.nvmrc'), /^v?(\d[\d.]*)/) ??
    find(await clues.source('.node-version'), /^v?(\d[\d.]*)/) ??
    find(await clues.source('.tool-versions'), /^nodejs\s+(\d[\d.]*)/) ??
    (typeof engines === 'string' ? property(manifest, 'node', engines) : null);
  const version = clue && chooseVersion(clue.value, VERSIONS);
  if (clue && version) clues.note('version', { ...clue, value: version });
  return version ?? VERSIONS[0]!;
}

function noteStart(clues: Clues, manifest: PackageFile, usual: string | null, manager: string): void {
  // Commands such as `nest start` compile again and need development dependencies.
  const script = ['start:prod', 'start'].find((name) => manifest.scripts.has(name)) ?? null;
  const isServed =
    script === 'start' &&
    usual !== null &&
    /\b(?:nest start|nodemon|ts-node|tsx watch)\b/.test(manifest.scripts.get(script) ?? '');
  if (script !== null && !isServed) {
    const command = script === 'start' ? `${manager} start` : `${manager} run ${script}`;
    clues.note('start_command', property(manifest, script, command));
    return;
  }
  if (usual !== null) {
    clues.note('start_command', property(manifest, script ?? 'dependencies', usual));
    return;
  }
  const main = manifest.data['main'];
  if (typeof main === 'string' && clues.has(main.replace(/^\.\//, ''))) {
    clues.note('start_command', property(manifest, 'main', `node ${main}`));
    return;
  }
  const entry = clues.first(...ENTRY_FILES);
  if (entry) clues.note('start_command', presence(`node ${entry}`, entry));
}

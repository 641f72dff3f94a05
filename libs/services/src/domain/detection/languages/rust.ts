import { find, presence, type Clue, type Clues, type SourceText } from '../clues.js';
import type { Detection } from '../detection.js';

const DEFAULT_VERSION = '1';
const FRAMEWORKS = ['axum', 'actix-web', 'rocket', 'warp', 'poem', 'salvo', 'tide'];

export async function detectRust(clues: Clues): Promise<Detection | null> {
  const cargo = await clues.source('Cargo.toml');
  if (!cargo) return null;
  clues.note('language', presence('rust', 'Cargo.toml'));
  clues.note('package_manager', presence('cargo', 'Cargo.toml'));
  const toolchain =
    find(await clues.source('rust-toolchain.toml'), /^\s*channel\s*=\s*["'](\d+\.\d+)/) ??
    find(await clues.source('rust-toolchain'), /^(?:channel\s*=\s*["'])?(\d+\.\d+)/);
  // `rust-version` in Cargo.toml is a minimum, which the newest compiler fulfils. Only a toolchain file pins a version.
  if (toolchain) clues.note('version', toolchain);
  for (const name of FRAMEWORKS) {
    const clue = find(cargo, new RegExp(`^\\s*${name}\\s*(?:=|\\.)`));
    if (clue) clues.note('framework', { ...clue, value: name });
  }
  const name = binaryOf(cargo);
  if (!name) clues.warnings.push('Cargo.toml names no package: build a member of the workspace by base_directory.');
  const locked = clues.has('Cargo.lock') ? ' --locked' : '';
  const build = `cargo build --release${locked}${name ? ` --bin ${name.value}` : ''}`;
  clues.note('build_command', { value: build, evidence: (name ?? presence('', 'Cargo.toml')).evidence });
  return clues.conclude({
    language: 'rust',
    version: toolchain?.value ?? DEFAULT_VERSION,
    buildCommands: [build],
    startCommand: clues.valueOf('start_command') ?? '/app/app',
    port: null,
    outputFolder: null,
    recipe: {
      manifests: [],
      installCommands: [],
      systemPackages: [],
      artifact: `target/release/${name?.value ?? 'app'}`,
    },
  });
}

/** The name of the binary: `default-run`, or else the first `[[bin]]`, or else the package. */
function binaryOf({ path, text }: SourceText): Clue | null {
  const found = new Map<string, Clue>();
  let section = '';
  for (const [index, line] of text.split('\n').entries()) {
    section = /^\s*(\[\[?[\w.-]+\]?\])/.exec(line)?.[1] ?? section;
    const name = /^\s*name\s*=\s*["']([\w-]+)["']/.exec(line)?.[1];
    if (name && !found.has(section)) found.set(section, { value: name, evidence: { path, line: index + 1 } });
    const standard = /^\s*default-run\s*=\s*["']([\w-]+)["']/.exec(line)?.[1];
    if (standard) return { value: standard, evidence: { path, line: index + 1 } };
  }
  return found.get('[[bin]]') ?? found.get('[package]') ?? null;
}

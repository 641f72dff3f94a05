import { find, property, type Clues } from '../clues.js';
import type { PackageFile } from './package-file.js';

export interface Framework {
  readonly name: string;
  /** The package whose presence identifies the framework. */
  readonly dependency: string;
  /** The start command if package.json has none. Null if the framework has no server of its own. */
  readonly start: string | null;
  /** The output folder of a static site. Null if the framework always needs a server. */
  readonly output: string | null;
}

/** The first match wins, so a framework comes before those that it is built on. */
const FRAMEWORKS: readonly Framework[] = [
  { name: 'next', dependency: 'next', start: 'npx next start', output: null },
  { name: 'nuxt', dependency: 'nuxt', start: 'node .output/server/index.mjs', output: null },
  { name: 'nest', dependency: '@nestjs/core', start: 'node dist/main', output: null },
  { name: 'remix', dependency: '@remix-run/node', start: 'npx remix-serve build/server/index.js', output: null },
  { name: 'sveltekit', dependency: '@sveltejs/kit', start: 'node build', output: null },
  { name: 'gatsby', dependency: 'gatsby', start: null, output: 'public' },
  { name: 'docusaurus', dependency: '@docusaurus/core', start: null, output: 'build' },
  { name: 'astro', dependency: 'astro', start: 'node ./dist/server/entry.mjs', output: 'dist' },
  { name: 'eleventy', dependency: '@11ty/eleventy', start: null, output: '_site' },
  { name: 'angular', dependency: '@angular/core', start: null, output: 'dist' },
  { name: 'create-react-app', dependency: 'react-scripts', start: null, output: 'build' },
  { name: 'vue-cli', dependency: '@vue/cli-service', start: null, output: 'dist' },
  { name: 'express', dependency: 'express', start: null, output: null },
  { name: 'fastify', dependency: 'fastify', start: null, output: null },
  { name: 'koa', dependency: 'koa', start: null, output: null },
  { name: 'hono', dependency: 'hono', start: null, output: null },
  { name: 'hapi', dependency: '@hapi/hapi', start: null, output: null },
  { name: 'vite', dependency: 'vite', start: null, output: 'dist' },
];

export function frameworkOf({ dependencies, devDependencies }: PackageFile): Framework | null {
  return FRAMEWORKS.find(({ dependency }) => dependencies.has(dependency) || devDependencies.has(dependency)) ?? null;
}

/** The output folder if the build makes a static site. Null if a program has to run. */
export async function builtIntoFiles(
  clues: Clues,
  manifest: PackageFile,
  framework: Framework | null,
): Promise<string | null> {
  if (clues.valueOf('start_command') !== null || !manifest.scripts.has('build')) return null;
  const folder = await outputOf(clues, manifest, framework);
  if (folder === null) return null;
  return clues.note('output_folder', folder);
}

async function outputOf(clues: Clues, manifest: PackageFile, framework: Framework | null) {
  if (framework?.name === 'next') {
    const config = clues.first('next.config.js', 'next.config.mjs', 'next.config.ts');
    const exported = find(config ? await clues.source(config) : null, /output\s*:\s*['"](export)['"]/);
    return exported && { ...exported, value: 'out' };
  }
  if (framework?.output == null) return null;
  // With a server adapter it is not static. Neither is it if its start script runs a program of its own.
  if (framework.name === 'astro' && manifest.dependencies.has('@astrojs/node')) return null;
  if (runsItsOwnServer(manifest.scripts.get('start'))) return null;
  if (framework.name === 'angular') return angularOutput(clues, manifest);
  if (framework.name === 'vite') {
    const config = clues.first('vite.config.ts', 'vite.config.js', 'vite.config.mjs');
    const set = find(config ? await clues.source(config) : null, /outDir\s*:\s*['"](?:\.\/)?([\w./-]+?)\/?['"]/);
    if (set && !set.value.startsWith('..')) return set;
  }
  return property(manifest, framework.dependency, framework.output);
}

function runsItsOwnServer(start: string | undefined): boolean {
  if (start === undefined) return false;
  return /\b(?:node|bun|tsx|deno)\s+\S/.test(start) && !/\bnode_modules\b/.test(start);
}

/** The current builder of Angular puts the files for the browser into a subfolder. */
async function angularOutput(clues: Clues, manifest: PackageFile) {
  const config = await clues.source('angular.json');
  const set = find(config, /"outputPath"\s*:\s*"([\w./-]+)"/);
  const project = find(config, /^\s*"defaultProject"\s*:\s*"([\w-]+)"/) ?? find(config, /^\s{4}"([\w-]+)"\s*:\s*\{/);
  const isNew = find(config, /@angular(?:-devkit\/build-angular:|\/build:)application\b/) !== null;
  const folder = set ?? (project && { ...project, value: `dist/${project.value}` });
  if (!folder) return property(manifest, '@angular/core', 'dist');
  return isNew ? { ...folder, value: `${folder.value}/browser` } : folder;
}

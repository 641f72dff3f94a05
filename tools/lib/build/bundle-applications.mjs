/** `node bundle-applications.mjs <root> <application>...`: called by bundle.mjs. */
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/** Packages that look for their own files beside them, or contain native code. */
const EXTERNAL = ['piscina', 'pino', 'swagger-ui-dist', '@node-rs/argon2', 'ssh2', '@fastify/static'];

/** Globals of CommonJS code, and the original path of a bundled file. */
const BANNER = `import { createRequire as makeRequireOfBundle } from 'node:module';
import { fileURLToPath as pathOfUrlInBundle } from 'node:url';
const require = makeRequireOfBundle(import.meta.url);
const urlInBundle = (file) => new URL(file, import.meta.url).href;
const pathInBundle = (file) => pathOfUrlInBundle(urlInBundle(file));`;

/** Packages that try optional ones: those are resolved when the code runs. */
const optionalPackages = {
  name: 'optional packages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./#]/ }, async ({ path: name, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === 'asked') return undefined;
      const found = await resolve(name, { kind, importer, resolveDir, pluginData: 'asked' });
      return found.errors.length > 0 || found.path.endsWith('.node') ? { path: name, external: true } : found;
    });
  },
};

/**
 * @nestjs/terminus imports this one through a variable, which no bundler can follow; a second copy would have different
 * tokens.
 */
const namedImport = {
  name: 'import by name',
  setup({ onLoad }) {
    onLoad({ filter: /terminus.dist.utils.checkPackage\.util\.js$/ }, ({ path: file }) => ({
      contents: fs
        .readFileSync(file, 'utf8')
        .replace(
          'import(packageName)',
          "(packageName === '@nestjs/typeorm' ? import('@nestjs/typeorm') : import(packageName))",
        ),
    }));
  },
};

/** Code that asks for its file path gets the path of the original file. */
const whereItWas = (outFolder) => ({
  name: 'where it was',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?js$/ }, ({ path: file }) => {
      const source = fs.readFileSync(file, 'utf8');
      if (!/import\.meta\.url|__dirname|__filename/.test(source)) return undefined;
      const was = (name) => JSON.stringify(path.relative(outFolder, name));
      const declares = /(?:const|let|var) (?:__dirname|__filename)\b/.test(source);
      let contents = source
        // A require created for this file finds the packages of the bundle, not second copies of them.
        .replace(/^const require = createRequire\(import\.meta\.url\);$/m, '')
        .replaceAll(/\bimport\.meta\.url\b/g, `urlInBundle(${was(file)})`);
      if (!declares) {
        contents = contents
          .replaceAll(/\b__filename\b/g, `pathInBundle(${was(file)})`)
          .replaceAll(/\b__dirname\b/g, `pathInBundle(${was(path.dirname(file))})`);
      }
      return { contents, loader: 'js' };
    });
  },
});

const [root, ...applications] = process.argv.slice(2);
await Promise.all(
  applications.map((application) => {
    const folder = path.join(root, 'dist', 'apps', application, 'src');
    return build({
      entryPoints: [path.join(folder, 'main.js')],
      outfile: path.join(folder, 'main.bundle.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      // Nest identifies providers by their class name.
      keepNames: true,
      banner: { js: BANNER },
      external: EXTERNAL,
      plugins: [optionalPackages, namedImport, whereItWas(folder)],
      logLevel: 'error',
    });
  }),
);

import { file, json, type Sample } from './sample.js';

export const NODE_SAMPLES: readonly Sample[] = [
  {
    name: 'express with npm',
    files: {
      'package.json': json({
        name: 'shop',
        engines: { node: '>=20' },
        scripts: { start: 'node server.js', test: 'jest' },
        dependencies: { express: '^4.19.0' },
      }),
      'package-lock.json': '{}\n',
      'server.js': "require('express')().listen(process.env.PORT);\n",
    },
    expected: {
      language: 'node',
      version: '22',
      framework: 'express',
      packageManager: 'npm',
      build: [],
      start: 'npm start',
      output: null,
      install: ['npm ci --omit=dev'],
      evidence: {
        language: 'package.json:1',
        version: 'package.json:4',
        framework: 'package.json:11',
        package_manager: 'package-lock.json:1',
        start_command: 'package.json:7',
      },
    },
  },
  {
    name: 'next with pnpm',
    files: {
      'package.json': json({
        packageManager: 'pnpm@9.12.0',
        scripts: { dev: 'next dev', build: 'next build', start: 'next start' },
        dependencies: { next: '15.0.0', react: '19.0.0' },
      }),
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
      '.nvmrc': 'v20.11.1\n',
    },
    expected: {
      language: 'node',
      version: '20',
      framework: 'next',
      packageManager: 'pnpm',
      build: ['pnpm run build'],
      start: 'pnpm start',
      output: null,
      install: ['corepack enable', 'pnpm install --frozen-lockfile'],
      evidence: { version: '.nvmrc:1', package_manager: 'package.json:2', build_command: 'package.json:5' },
    },
  },
  {
    name: 'next that is exported to files',
    files: {
      'package.json': json({ scripts: { build: 'next build' }, dependencies: { next: '15.0.0' } }),
      'next.config.mjs': "export default {\n  output: 'export',\n};\n",
    },
    expected: {
      language: 'node',
      framework: 'next',
      start: null,
      output: 'out',
      evidence: { output_folder: 'next.config.mjs:2' },
    },
  },
  {
    name: 'nest with yarn',
    files: {
      'package.json': json({
        scripts: { build: 'nest build', start: 'nest start', 'start:prod': 'node dist/main' },
        dependencies: { '@nestjs/core': '^11.0.0', express: '^5.0.0' },
        devDependencies: { '@nestjs/cli': '^11.0.0' },
      }),
      'yarn.lock': '# yarn lockfile v1\n',
      'src/main.ts': 'bootstrap();\n',
    },
    expected: {
      language: 'node',
      framework: 'nest',
      packageManager: 'yarn',
      build: ['yarn run build'],
      start: 'yarn run start:prod',
      install: ['corepack enable', 'yarn install --frozen-lockfile'],
    },
  },
  {
    name: 'nest without a script for production',
    files: {
      'package.json': json({
        scripts: { build: 'nest build', start: 'nest start' },
        dependencies: { '@nestjs/core': '^11.0.0' },
      }),
    },
    expected: { language: 'node', framework: 'nest', start: 'node dist/main' },
  },
  {
    name: 'vite single-page application with bun',
    files: {
      'package.json': json({
        scripts: { dev: 'vite', build: 'tsc && vite build', preview: 'vite preview' },
        dependencies: { react: '^19.0.0' },
        devDependencies: { vite: '^6.0.0', typescript: '^5.6.0' },
      }),
      'bun.lock': '{}\n',
      'index.html': '<div id="root"></div>\n',
    },
    expected: {
      language: 'node',
      framework: 'vite',
      packageManager: 'bun',
      build: ['bun run build'],
      start: null,
      output: 'dist',
      install: ['bun install --frozen-lockfile'],
    },
  },
  {
    name: 'vite with a folder of its own for the output',
    files: {
      'package.json': json({ scripts: { build: 'vite build' }, devDependencies: { vite: '^6.0.0' } }),
      'vite.config.ts': "export default {\n  build: {\n    outDir: './www',\n  },\n};\n",
    },
    expected: { language: 'node', output: 'www', evidence: { output_folder: 'vite.config.ts:3' } },
  },
  {
    name: 'vite behind an express server',
    files: {
      'package.json': json({
        scripts: { build: 'vite build', start: 'node server.js' },
        dependencies: { express: '^4.0.0' },
        devDependencies: { vite: '^6.0.0' },
      }),
      'server.js': '',
    },
    expected: { language: 'node', framework: 'express', start: 'npm start', output: null },
  },
  {
    name: 'create-react-app',
    files: {
      'package.json': json({
        scripts: { start: 'react-scripts start', build: 'react-scripts build' },
        dependencies: { 'react-scripts': '5.0.1' },
      }),
    },
    expected: { language: 'node', framework: 'create-react-app', start: null, output: 'build' },
  },
  {
    name: 'angular of today',
    files: {
      'package.json': json({
        scripts: { start: 'ng serve', build: 'ng build' },
        dependencies: { '@angular/core': '^19.0.0' },
      }),
      'angular.json': json({
        projects: { console: { architect: { build: { builder: '@angular-devkit/build-angular:application' } } } },
      }),
    },
    expected: { language: 'node', framework: 'angular', start: null, output: 'dist/console/browser' },
  },
  {
    name: 'astro as files',
    files: { 'package.json': json({ scripts: { build: 'astro build' }, dependencies: { astro: '^5.0.0' } }) },
    expected: { language: 'node', framework: 'astro', start: null, output: 'dist' },
  },
  {
    name: 'astro with a server',
    files: {
      'package.json': json({
        scripts: { build: 'astro build' },
        dependencies: { astro: '^5.0.0', '@astrojs/node': '^9.0.0' },
      }),
    },
    expected: { language: 'node', framework: 'astro', start: 'node ./dist/server/entry.mjs', output: null },
  },
  {
    name: 'nuxt',
    files: {
      'package.json': json({ scripts: { build: 'nuxt build' }, dependencies: { nuxt: '^3.0.0' } }),
      '.node-version': '20\n',
    },
    expected: { language: 'node', version: '20', framework: 'nuxt', start: 'node .output/server/index.mjs' },
  },
  {
    name: 'no dependencies and no scripts',
    files: { 'package.json': json({ main: 'src/app.js' }), 'src/app.js': '' },
    expected: { language: 'node', framework: null, packageManager: null, start: 'node src/app.js', install: [] },
  },
  {
    name: 'a Procfile in place of a start script',
    files: {
      'package.json': json({ dependencies: { fastify: '^5.0.0' } }),
      Procfile: file(`
        release: node migrate.js
        web: node dist/server.js --port $PORT
        worker: node dist/worker.js
      `),
    },
    expected: {
      language: 'node',
      framework: 'fastify',
      start: 'node dist/server.js --port $PORT',
      evidence: { start_command: 'Procfile:2' },
    },
  },
  {
    name: 'a monorepo with workspaces',
    files: {
      'package.json': json({
        workspaces: ['packages/*'],
        scripts: { build: 'turbo build', start: 'node packages/api/dist/index.js' },
        devDependencies: { turbo: '^2.0.0' },
      }),
      'package-lock.json': '{}\n',
      'packages/api/package.json': '{}\n',
    },
    expected: { language: 'node', start: 'npm start', install: ['npm ci'] },
  },
];

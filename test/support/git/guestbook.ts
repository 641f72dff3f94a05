import { createRequire } from 'node:module';
import { buildSync } from 'esbuild';
import type { Files } from './repository.js';

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
const NAME = { name: 'guestbook', version: '1.0.0' };

const SERVER = `const { createServer } = require('node:http');
const { Pool } = require('./vendor/pg.js');

const database = new Pool({ connectionString: process.env.DATABASE_URL });

async function visit() {
  await database.query('insert into visits default values');
  const { rows } = await database.query('select count(*) as visits from visits');
  return \`visit \${rows[0].visits} of the database \${process.env.GREETING}\\n\`;
}

async function main() {
  await database.query('create table if not exists visits (id bigserial primary key)');
  console.log('connected to the database');
  createServer((_, answer) =>
    visit().then((text) => answer.end(text), (error) => answer.writeHead(500).end(error.message)),
  ).listen(process.env.PORT);
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
`;

/**
 * A program that counts its visits in PostgreSQL. It contains the database driver, because builds in tests have no
 * package registry.
 */
export function guestbook(): Files {
  return {
    'package.json': json({ ...NAME, scripts: { start: 'node server.js' } }),
    'package-lock.json': json({ ...NAME, lockfileVersion: 3, packages: { '': NAME } }),
    'server.js': SERVER,
    'vendor/pg.js': driver(),
    '.env.example':
      '# Where the visits are counted\nDATABASE_URL=postgres://user:password@localhost:5432/guestbook\nGREETING=hello\n',
    'README.md': '# Guestbook\n\nCounts its visits.\n',
  };
}

/** Bundles `pg` of this checkout into one file. */
function driver(): string {
  const { outputFiles } = buildSync({
    entryPoints: [createRequire(__filename).resolve('pg')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['pg-native'],
    write: false,
    minify: true,
  });
  return outputFiles[0]!.text;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const SETTINGS_FILE = /(settings|env|config)\.ts$/;

/** The keys of the schemas that read the environment. */
function settingsOf(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => SETTINGS_FILE.test(file))
    .flatMap((file) => [
      ...readFileSync(join(ROOT, folder, file), 'utf8').matchAll(/^\s+([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)*): /gm),
    ])
    .map(([, name]) => name!);
}

it('every setting that a process reads is explained in .env.example', () => {
  const explained = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const read = [...new Set([...settingsOf('libs'), ...settingsOf('apps')])];
  expect(read.length).toBeGreaterThan(50);
  expect(read.filter((name) => !new RegExp(`^(# )?${name}=`, 'm').test(explained))).toEqual([]);
});

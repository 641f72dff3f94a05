import { find, presence, property, type Clues, type SourceText } from '../clues.js';
import type { Detection } from '../detection.js';
import { chooseVersion } from '../version-choice.js';

const VERSIONS = ['8.3', '8.4', '8.2', '8.1'];
const FRAMEWORKS: readonly (readonly [name: string, dependency: string])[] = [
  ['laravel', 'laravel/framework'],
  ['symfony', 'symfony/framework-bundle'],
  ['slim', 'slim/slim'],
  ['cakephp', 'cakephp/cakephp'],
  ['codeigniter', 'codeigniter4/framework'],
];
/** Extensions that the official image contains. */
const BUILT_IN = new Set([
  ...['ctype', 'curl', 'dom', 'fileinfo', 'filter', 'hash', 'iconv', 'json', 'libxml', 'mbstring', 'openssl', 'pcre'],
  ...['pdo', 'pdo_sqlite', 'phar', 'posix', 'session', 'simplexml', 'sodium', 'sqlite3', 'tokenizer', 'xml'],
  ...['xmlreader', 'xmlwriter', 'zlib'],
]);

export async function detectPhp(clues: Clues): Promise<Detection | null> {
  const composer = await clues.json('composer.json');
  const page = clues.first('index.php', 'public/index.php', 'web/index.php', 'htdocs/index.php');
  const sign = composer?.path ?? page;
  if (sign === null) return null;
  clues.note('language', presence('php', sign));
  const version = await versionOf(clues, composer);
  const asked = requirements(composer?.data ?? {});
  for (const [name, dependency] of FRAMEWORKS)
    if (composer && asked.has(dependency)) clues.note('framework', property(composer, dependency, name));
  const wordpress = clues.first('wp-config.php', 'wp-config-sample.php');
  if (wordpress) clues.note('framework', presence('wordpress', wordpress));
  if (composer) clues.note('package_manager', presence('composer', composer.path));
  const folder = page === null ? '' : page.slice(0, Math.max(page.lastIndexOf('/'), 0));
  if (page) clues.note('output_folder', presence(folder === '' ? '.' : folder, page));
  else clues.warnings.push('No index.php was found at the root, or in public or web.');
  const extensions = [...asked].flatMap((name) => (name.startsWith('ext-') ? [name.slice(4).toLowerCase()] : []));
  const needed = extensions.filter((name) => !BUILT_IN.has(name) && /^[a-z0-9_]+$/.test(name));
  if (clues.valueOf('framework') === 'laravel') needed.push('pdo_mysql');
  if (clues.valueOf('framework') === 'wordpress') needed.push('mysqli');
  const packages = [...asked].filter((name) => name.includes('/'));
  const flags = '--no-dev --no-interaction --no-progress --optimize-autoloader';
  return clues.conclude({
    language: 'php',
    version,
    buildCommands: [],
    startCommand: clues.valueOf('start_command'),
    port: null,
    outputFolder: folder === '' ? '.' : folder,
    recipe: {
      manifests: ['composer.json', 'composer.lock'].filter((path) => clues.has(path)),
      installCommands: packages.length > 0 ? [`composer install ${flags} --no-scripts --ignore-platform-reqs`] : [],
      systemPackages: [...new Set(needed)],
      artifact: null,
    },
  });
}

function requirements(data: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const section = data['require'];
  return new Set(section !== null && typeof section === 'object' ? Object.keys(section) : []);
}

async function versionOf(
  clues: Clues,
  composer: (SourceText & { readonly data: Readonly<Record<string, unknown>> }) | null,
): Promise<string> {
  const asked = (composer?.data['require'] as Readonly<Record<string, unknown>> | undefined)?.['php'];
  const clue =
    find(await clues.source('.php-version'), /^(\d[\d.]*)/) ??
    (composer && typeof asked === 'string' ? property(composer, 'php', asked) : null);
  const version = clue && chooseVersion(clue.value, VERSIONS);
  if (clue && version) clues.note('version', { ...clue, value: version });
  return version ?? VERSIONS[0]!;
}

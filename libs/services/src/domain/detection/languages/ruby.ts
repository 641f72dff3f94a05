import { find, presence, type Clues } from '../clues.js';
import type { Detection } from '../detection.js';
import { chooseVersion } from '../version-choice.js';

const JEKYLL_BUILD = 'bundle exec jekyll build';
const VERSIONS = ['3.3', '3.4', '3.2', '3.1'];

export async function detectRuby(clues: Clues): Promise<Detection | null> {
  const gemfile = await clues.source('Gemfile');
  if (!gemfile) return null;
  clues.note('language', presence('ruby', 'Gemfile'));
  clues.note('package_manager', presence('bundler', clues.first('Gemfile.lock') ?? 'Gemfile'));
  const asked =
    find(await clues.source('.ruby-version'), /^(?:ruby-)?(\d[\d.]*)/) ??
    find(await clues.source('.tool-versions'), /^ruby\s+(\d[\d.]*)/) ??
    find(gemfile, /^\s*ruby\s+["']([^"']+)["']/);
  const version = asked && chooseVersion(asked.value, VERSIONS);
  if (asked && version) clues.note('version', { ...asked, value: version });
  const gem = (name: string) => find(gemfile, new RegExp(`^\\s*gem\\s+["']${name}["']`));
  for (const name of ['rails', 'sinatra', 'hanami', 'roda']) {
    const clue = gem(name);
    if (clue) clues.note('framework', { ...clue, value: name });
  }
  const jekyll = gem('jekyll') ?? gem('github-pages');
  if (jekyll) {
    clues.note('framework', { ...jekyll, value: 'jekyll' });
    clues.note('output_folder', { ...jekyll, value: '_site' });
    clues.note('build_command', { ...jekyll, value: JEKYLL_BUILD });
  } else noteStart(clues, gem('puma') !== null);
  // A Gemfile next to a package.json, without anything to start, is for the tools of a Node project.
  if (clues.has('package.json') && !jekyll && clues.valueOf('start_command') === null) return null;
  const assets = gem('sprockets-rails') ?? gem('propshaft');
  const precompile = 'SECRET_KEY_BASE_DUMMY=1 bundle exec rails assets:precompile';
  const buildsAssets = assets !== null && clues.valueOf('framework') === 'rails';
  if (buildsAssets) clues.note('build_command', { ...assets, value: precompile });
  const native = [
    ...(gem('pg') ? ['libpq-dev'] : []),
    ...(gem('mysql2') ? ['default-libmysqlclient-dev'] : []),
    ...(gem('sqlite3') ? ['libsqlite3-dev'] : []),
  ];
  return clues.conclude({
    language: 'ruby',
    version: version ?? VERSIONS[0]!,
    buildCommands: jekyll ? [JEKYLL_BUILD] : buildsAssets ? [precompile] : [],
    startCommand: clues.valueOf('start_command'),
    port: null,
    outputFolder: jekyll ? '_site' : null,
    recipe: {
      manifests: ['Gemfile', 'Gemfile.lock', '.ruby-version'].filter((path) => clues.has(path)),
      installCommands: ['bundle install --jobs 2'],
      systemPackages: ['build-essential', 'libyaml-dev', ...native],
      artifact: null,
    },
  });
}

function noteStart(clues: Clues, hasPuma: boolean): void {
  if (clues.valueOf('start_command') !== null) return;
  if (clues.valueOf('framework') === 'rails') {
    const path = clues.first('bin/rails', 'config/application.rb') ?? 'Gemfile';
    clues.note('start_command', presence('bundle exec rails server -b 0.0.0.0 -p $PORT', path));
  } else if (clues.has('config.ru')) {
    const command = hasPuma
      ? 'bundle exec puma -b tcp://0.0.0.0:$PORT config.ru'
      : 'bundle exec rackup -o 0.0.0.0 -p $PORT config.ru';
    clues.note('start_command', presence(command, 'config.ru'));
  } else {
    const file = clues.first('app.rb', 'main.rb', 'server.rb');
    if (file) clues.note('start_command', presence(`bundle exec ruby ${file} -o 0.0.0.0 -p $PORT`, file));
    else clues.warnings.push('No start command was found: add a Procfile with a line "web: …".');
  }
}

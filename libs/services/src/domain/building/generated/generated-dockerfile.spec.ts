import { detect } from '../../detection/detect.js';
import { textTree } from '../../detection/repository-tree.js';
import { BaseImages } from '../base-images.js';
import { checkDockerfile } from '../dockerfile-images.js';
import { generateDockerfile } from './generated-dockerfile.js';

async function generated(files: Record<string, string>): Promise<string> {
  const detection = await detect(textTree(files));
  return generateDockerfile(detection!, { images: new BaseImages({}), port: 8080 });
}

const REPOSITORIES: readonly (readonly [string, Record<string, string>])[] = [
  ['node', { 'package.json': '{"scripts":{"build":"x","start":"node a"},"dependencies":{"express":"4"}}' }],
  ['node as files', { 'package.json': '{"scripts":{"build":"vite build"},"devDependencies":{"vite":"6"}}' }],
  ['bun', { 'package.json': '{"scripts":{"start":"bun a.ts"},"dependencies":{"hono":"4"}}', 'bun.lock': '' }],
  ['python', { 'requirements.txt': 'flask\ngunicorn\npsycopg2\n', 'app.py': 'app = Flask(__name__)\n' }],
  ['go', { 'go.mod': 'module a\n\ngo 1.24\n', 'go.sum': '', 'main.go': 'package main\n' }],
  [
    'php',
    { 'composer.json': '{"require":{"php":"^8.3","slim/slim":"4","ext-intl":"*"}}', 'public/index.php': '<?php' },
  ],
  ['ruby', { Gemfile: "gem 'rails'\ngem 'pg'\n", 'bin/rails': '' }],
  ['java', { 'pom.xml': '<java.version>21</java.version>\nspring-boot\n' }],
  ['quarkus', { 'build.gradle': 'id "io.quarkus"\n' }],
  ['rust', { 'Cargo.toml': '[package]\nname = "shop"\n' }],
  ['pages', { 'index.html': '<h1>Hi</h1>' }],
];

describe('a generated Dockerfile', () => {
  it.each(REPOSITORIES)('of %s keeps the promises of all of them', async (_, files) => {
    const text = await generated(files);
    const last = text.slice(text.lastIndexOf('\nFROM '));
    expect(text).toMatch(/^# Made for /);
    expect(last).toMatch(/^USER (?:1000:1000|www-data)$/m);
    expect(last).toMatch(/^ENV PORT=8080\b/m);
    expect(last).toMatch(/^EXPOSE 8080$/m);
    expect(last).toMatch(/^CMD \[".*\]$/m);
    // What it builds on obeys the rules for what anybody builds on.
    expect(checkDockerfile(text, new Map(), new Set())).toMatchObject({ text: expect.any(String) as string });
  });

  it.each(REPOSITORIES)('of %s has one instruction or continuation a line', async (_, files) => {
    for (const line of (await generated(files)).split('\n'))
      expect(line).toMatch(/^(?:#|FROM |WORKDIR |ENV |COPY |RUN |EXPOSE |USER |CMD | {4}|$)/);
  });

  it('gives a command with a variable to a shell that it replaces', async () => {
    const text = await generated({ 'requirements.txt': 'flask\ngunicorn\n', 'app.py': 'app = Flask(__name__)\n' });
    expect(text).toContain('CMD ["sh","-c","exec gunicorn app:app --bind 0.0.0.0:$PORT"]');
  });
});

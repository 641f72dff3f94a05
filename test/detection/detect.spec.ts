import { detect, subtree, textTree } from '#libs/services';
import { NODE_SAMPLES } from './node-samples.js';
import { OTHER_SAMPLES } from './other-samples.js';
import { PYTHON_SAMPLES } from './python-samples.js';

const SAMPLES = [...NODE_SAMPLES, ...PYTHON_SAMPLES, ...OTHER_SAMPLES];

describe('what a repository is', () => {
  it('is tried on at least forty of them', () => {
    expect(SAMPLES.length).toBeGreaterThanOrEqual(40);
  });

  it.each(SAMPLES)('$name', async ({ files, expected }) => {
    const found = await detect(textTree(files));
    const { language, version, framework, packageManager, startCommand, outputFolder, buildCommands } = found!;
    const { evidence = {}, ...wanted } = expected;
    const all = {
      language,
      version,
      framework,
      packageManager,
      start: startCommand,
      output: outputFolder,
      build: buildCommands,
      install: found!.recipe.installCommands,
    };
    expect(all).toMatchObject(wanted);
    const places = Object.fromEntries(
      found!.findings.map(({ fact, evidence: { path, line } }) => [fact, `${path}:${line}`]),
    );
    expect(places).toMatchObject(evidence);
  });

  it.each(SAMPLES)('names places that there are: $name', async ({ files }) => {
    for (const { evidence } of (await detect(textTree(files)))!.findings) {
      const lines = files[evidence.path]?.split('\n').length ?? 0;
      expect(evidence.line).toBeGreaterThanOrEqual(1);
      expect(evidence.line).toBeLessThanOrEqual(lines);
    }
  });

  it('says nothing about what it does not know', async () => {
    expect(await detect(textTree({ 'README.md': '# Notes\n', 'main.c': 'int main(void) {}\n' }))).toBeNull();
  });

  it('looks at one folder of a monorepo as if it were the whole', async () => {
    const tree = textTree({ 'api/go.mod': 'module a\n\ngo 1.24\n', 'api/main.go': 'package main\n', 'index.html': '' });
    expect(await detect(subtree(tree, 'api'))).toMatchObject({ language: 'go' });
  });

  it('survives files that are not what their names say', async () => {
    const odd = { 'package.json': '[1,', 'composer.json': '"x"', 'index.html': '' };
    const found = await detect(textTree(odd));
    expect(found?.language).toBe('static');
  });
});

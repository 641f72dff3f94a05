import { buildKitTriggerDefect, forBuildKit, isForBuildKit } from './buildkit-dockerfile.js';

function refused(text: string): string | null {
  const result = forBuildKit(text);
  return 'message' in result ? result.message : null;
}

describe('a Dockerfile for BuildKit', () => {
  it('names no program for its syntax', () => {
    for (const line of ['# syntax=evil.example/x', '// syntax=evil.example/x', '#!/usr/bin/env x'])
      expect(forBuildKit(`${line}\nFROM a\n`)).toEqual({
        text: `# escape=\\\n# The directives end here.\n${line}\nFROM a\n`,
      });
    expect(forBuildKit('# escape=`\nFROM a\n')).toEqual({
      text: '# escape=`\n# The directives end here.\n# escape=`\nFROM a\n',
    });
  });

  it.each([
    ['--network=host'],
    ['--security=insecure'],
    ['--mount=type=cache,target=/x'],
    ['--mount=type=ssh'],
    ['--mount=type=bind,FROM=evil.example/x,target=/x'],
    ['--mount=type=bind,from=$X,target=/x'],
    ['--mount=type=bind,"from=evil.example/x",target=/x'],
  ])('has no step with %s', (option) => {
    expect(refused(`FROM a\nRUN ${option} true\n`) ?? 'allowed').toMatch(/not allowed/);
    expect(refused(`FROM a\nONBUILD RUN ${option} true\n`) ?? 'allowed').toMatch(/not allowed/);
    expect(buildKitTriggerDefect(`RUN ${option} true`) ?? 'allowed').toMatch(/not allowed/);
  });

  it('may mount secrets, memory and files of other stages', () => {
    const mounts = [
      'type=secret,id=npmrc,target=/root/.npmrc',
      'type=tmpfs,target=/tmp',
      'from=docker.io/library/a:1,target=/x,ro',
    ];
    expect(refused(`FROM a\nRUN ${mounts.map((mount) => `--mount=${mount}`).join(' ')} npm ci\n`)).toBeNull();
    expect(refused('FROM a\nRUN <<EOF\ntrue\nEOF\nRUN echo $((1<<2))\nCOPY . .\nADD a.tar.gz /x\n')).toBeNull();
  });

  it.each(['git@evil.example:x/y.git /x', 'https://a/b /x', 'github.com/a/b /x', '$X /x', '["git://a/b", "/x"]'])(
    'adds no repository: %s',
    (rest) => {
      expect(refused(`FROM a\nADD ${rest}\n`)).toMatch('ADD takes only files');
    },
  );

  it('has no text whose end could be taken for something else', () => {
    expect(refused('FROM a\nRUN <<"E\\"\ntrue\nE\\\nFROM evil.example/x\n')).toMatch(
      'The delimiter of a here-document',
    );
  });

  it('gets no arguments that are for BuildKit itself', () => {
    expect(['BUILDKIT_SYNTAX', 'buildkit_inline_cache', 'NODE_ENV'].map(isForBuildKit)).toEqual([true, true, false]);
  });
});

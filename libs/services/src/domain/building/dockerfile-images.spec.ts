import { checkDockerfile, type CheckedDockerfile } from './dockerfile-images.js';

const NONE: ReadonlySet<string> = new Set();

function check(text: string, args: Record<string, string> = {}) {
  return checkDockerfile(text, new Map(Object.entries(args)), NONE);
}

function checked(text: string, args: Record<string, string> = {}): CheckedDockerfile {
  const result = check(text, args);
  if ('message' in result) throw new Error(result.message);
  return result;
}

const refused = (text: string, args: Record<string, string> = {}) => {
  const result = check(text, args);
  return 'message' in result ? `${result.line}: ${result.message}` : null;
};

describe('the images of a Dockerfile', () => {
  it('stand under their full names', () => {
    const { text, images } = checked('FROM node:22 AS build\nRUN true\nFROM alpine\nCOPY --from=build /a /b\n');
    expect(text).toBe(
      'FROM docker.io/library/node:22 AS build\nRUN true\nFROM docker.io/library/alpine:latest\nCOPY --from=build /a /b\n',
    );
    expect(images.map(({ ref }) => ref)).toEqual(['docker.io/library/node:22', 'docker.io/library/alpine:latest']);
  });

  it('are never the id of an image that the engine happens to have', () => {
    expect(checked('FROM a1b2c3d4e5f6\n').text).toBe('FROM docker.io/library/a1b2c3d4e5f6:latest\n');
    expect(refused(`FROM ${'a'.repeat(64)}\n`)).toMatch('is not an image name');
    expect(refused(`FROM sha256:${'a'.repeat(64)}\n`)).toBeNull();
    expect(checked('FROM sha256:abc\n').text).toBe('FROM docker.io/library/sha256:abc\n');
  });

  it('are named by arguments too', () => {
    const text = 'ARG V=22\nARG BASE=node:${V}\n# comment\nFROM --platform=linux/amd64 ${BASE}-slim as x\nFROM x\n';
    expect(checked(text).images.map(({ ref }) => ref)).toEqual(['docker.io/library/node:22-slim']);
    expect(checked(text, { V: '20' }).text).toContain(
      'FROM --platform=linux/amd64 docker.io/library/node:20-slim AS x\n',
    );
    expect(checked('FROM ${NONE:-node:1}\n').images[0]?.ref).toBe('docker.io/library/node:1');
    expect(refused('ARG X=10.0.0.1/a\nFROM $X\n')).toMatch('2: The image 10.0.0.1/a is not allowed');
    expect(refused('FROM $NOTHING\n')).toMatch('1: $NOTHING is not an image name');
  });

  it('are found over several lines, and in COPY and RUN', () => {
    expect(checked('FROM \\\n  # why\n  node:22 \\\n  AS x\nRUN a\n').text).toBe(
      'FROM docker.io/library/node:22 AS x\nRUN a\n',
    );
    expect(checked('FROM scratch\nCOPY --chown=1 --from=nginx /a /b\n').text).toBe(
      'FROM scratch\nCOPY --chown=1 --from=docker.io/library/nginx:latest /a /b\n',
    );
    expect(refused('FROM scratch\nCOPY --from=localhost:5000/x /a /b\n')).toMatch('2: The image localhost:5000/x');
    expect(refused('FROM node\nRUN --mount=type=bind,from=10.0.0.1/x,target=/x cat /x\n')).toMatch(
      '2: The image 10.0.0.1/x',
    );
    expect(checked('FROM node\nRUN echo --from=10.0.0.1/x\n').images).toHaveLength(1);
    expect(refused('# escape=`\nFROM `\n  10.0.0.1/x\n')).toMatch('2: The image 10.0.0.1/x');
  });

  it.each([
    ['an instruction over two lines', 'FR\\\nOM 127.0.0.1:9/x\n', /127.0.0.1:9\/x is not allowed/],
    ['an option over two lines', 'FROM node\nCOPY --fr\\\nom=127.0.0.1:9/x /a /b\n', /127.0.0.1:9\/x is not allowed/],
    ['a backslash in an option', 'FROM node\nCOPY --fr\\om=127.0.0.1:9/x /a /b\n', /without quotes/],
    ['quotes in an option', 'FROM node\nCOPY --"from"=127.0.0.1:9/x /a /b\n', /without quotes/],
    ['a quoted space', "FROM node\nCOPY --chown='1 2' --from=127.0.0.1:9/x /a /b\n", /without quotes/],
    ['white space of the engine alone', '\u0085FROM 127.0.0.1:9/x\n', /U\+0085/],
    ['white space of ours alone', 'FROM node\nLABEL a=b \\\n\ufeff\nFROM 127.0.0.1:9/x\n', /U\+FEFF/],
    [
      'an escape character that is a comment',
      '# a\n# escape=`\nFROM node\nLABEL a=`\nFROM 127.0.0.1:9/x\n',
      /first line/,
    ],
    ['two escape characters', '# escape=\\\n# escape=`\nFROM node\n', /first line/],
    [
      'an escaped backslash at the end',
      'FROM node\nLABEL a=b\\\\\nCOPY --from=127.0.0.1:9/x /a /b\n',
      /must not end with/,
    ],
    ['an address over two lines', 'FROM node\nADD ht\\\ntp://127.0.0.1:9/x /y\n', /ADD of an address/],
    ['a trigger with quotes', 'FROM node\nONBUILD COPY --chown=1 --"from"=127.0.0.1:9/x /a /b\n', /without quotes/],
  ])('do not hide behind %s', (_how, text, words) => {
    expect(refused(text)).toMatch(words);
  });

  it('may stand behind a mark of the byte order, and the directives of an editor', () => {
    expect(refused('\ufeffFROM node\n')).toBeNull();
    expect(refused('# syntax=docker/dockerfile:1\r\n# escape=`\r\nFROM node\r\n')).toBeNull();
    expect(refused('FROM node\nRUN --mount=type=cache,target=/x npm ci \\\n  && echo "a\\b"\n')).toBeNull();
  });

  it('come from registries that services may use', () => {
    for (const image of [
      '127.0.0.1:5000/x',
      'localhost/x',
      'registry.internal/x',
      '[::1]:5000/x',
      'panel-git.invalid/x',
    ])
      expect(refused(`FROM ${image}\n`)).toMatch(/not allowed/);
    expect(
      checkDockerfile('FROM registry.internal:5000/x\n', new Map(), new Set(['registry.internal:5000'])),
    ).toMatchObject({
      images: [{ registry: 'registry.internal:5000' }],
    });
  });

  it('are there', () => {
    expect(refused('RUN true\n')).toMatch('no FROM');
    expect(refused('')).toMatch('no FROM');
  });
});

describe('addresses that a Dockerfile adds', () => {
  it.each([
    'http://169.254.169.254/latest/meta-data /x',
    '--chown=1:1 https://10.0.0.1/x /x',
    'a.txt "http://10.0.0.1/x" /x',
    'h\\ttp://10.0.0.1/x /x',
    '["\\u0068ttp://10.0.0.1/x", "/x"]',
    '$WHERE /x',
    'ht${TP}://10.0.0.1/x /x',
  ])('are refused, as the engine itself would fetch them: ADD %s', (rest) => {
    expect(refused(`FROM node\nADD ${rest}\n`)).toMatch('2: ADD of an address is not allowed');
    expect(refused(`FROM node\nONBUILD ADD ${rest}\n`)).toMatch('2: ADD of an address is not allowed');
  });

  it('are not files of the repository', () => {
    for (const rest of ['app.tar.gz /x', './$JAR $HOME/', 'httpd.conf /etc/', '["a b", "/x"]', '--chown=$U a /x'])
      expect(refused(`FROM node\nADD ${rest}\nONBUILD ADD ${rest}\n`)).toBeNull();
    expect(refused('FROM node\nCOPY $WHERE /x\n')).toBeNull();
  });
});

describe('the syntax of a Dockerfile', () => {
  it('is the one of Docker', () => {
    expect(refused('# syntax=docker/dockerfile:1\nFROM node\n')).toBeNull();
    expect(refused('#syntax = docker.io/docker/dockerfile:1.7-labs\nFROM node\n')).toBeNull();
    expect(refused('# syntax=evil.example/frontend\nFROM node\n')).toMatch('1: The syntax evil.example/frontend');
    expect(refused('# syntax=docker/dockerfile.evil.example/x\nFROM node\n')).toMatch('is not allowed');
  });
});

import { parseImageReference, registryDefect } from './image-reference.js';

const digest = `sha256:${'a'.repeat(64)}`;

describe('an image reference', () => {
  it.each([
    ['nginx', 'docker.io/library/nginx:latest'],
    ['nginx:1.27-alpine', 'docker.io/library/nginx:1.27-alpine'],
    ['acme/api', 'docker.io/acme/api:latest'],
    ['docker.io/nginx', 'docker.io/library/nginx:latest'],
    ['index.docker.io/acme/api:1', 'docker.io/acme/api:1'],
    ['ghcr.io/acme/a__b/c-d.e:v1_2', 'ghcr.io/acme/a__b/c-d.e:v1_2'],
    ['GHCR.io/acme/api:1', 'ghcr.io/acme/api:1'],
    ['registry.example.com:5000/x:1', 'registry.example.com:5000/x:1'],
    [`nginx@${digest}`, `docker.io/library/nginx@${digest}`],
    [`nginx:1@${digest}`, `docker.io/library/nginx:1@${digest}`],
  ])('is completed as the engine would: %s', (text, ref) => {
    expect(parseImageReference(text)?.ref).toBe(ref);
  });

  it('tells registry, repository, tag and digest apart', () => {
    expect(parseImageReference(`ghcr.io:443/a/b:t@${digest}`)).toMatchObject({
      registry: 'ghcr.io:443',
      repository: 'a/b',
      tag: 't',
      digest,
    });
    expect(parseImageReference(`nginx@${digest}`)?.tag).toBeNull();
  });

  it.each([
    '',
    ':tag',
    'a:',
    'A',
    'a/B',
    'a b',
    'a//b',
    '/a',
    'a/',
    '-a',
    'a-',
    'a..b',
    'a___b',
    'a:b:c',
    'a@b',
    `a@${digest}@${digest}`,
    'a'.repeat(300),
    'f'.repeat(64),
  ])('is not made of "%s"', (text) => {
    expect(parseImageReference(text)).toBeNull();
  });

  it('is read in time however long it is', () => {
    const began = performance.now();
    expect(parseImageReference(`${'a-'.repeat(250)}!`)).toBeNull();
    expect(parseImageReference(`x.y/${'a_'.repeat(200)}`)).toBeNull();
    expect(performance.now() - began).toBeLessThan(50);
  });
});

describe('a registry host', () => {
  it.each(['docker.io', 'ghcr.io', 'registry.example.com:5000', 'quay.io', '10.example.com'])(
    'is public: %s',
    (host) => {
      expect(registryDefect(host, new Set())).toBeNull();
    },
  );

  it.each(['localhost', '10.0.0.1', '0x7f.0x1', '127.1:80', '[fe80::1]', 'registry', 'a.internal', 'x.local:5000'])(
    'must be listed: %s',
    (host) => {
      expect(registryDefect(host, new Set())).not.toBeNull();
      expect(registryDefect(host, new Set([host]))).toBeNull();
    },
  );
});

import { BaseImages } from './base-images.js';

describe('base images', () => {
  it('come from the public registries without a table', () => {
    expect(new BaseImages({}).of('node', '22')).toBe('docker.io/library/node:22-bookworm-slim');
  });

  it('come from the table where it has the version', () => {
    const images = new BaseImages({
      node: { '20': 'mirror.example/node:20', '22': 'mirror.example/node:22@sha256:a' },
    });
    expect(images.of('node', '22')).toBe('mirror.example/node:22@sha256:a');
    expect(images.warnings).toEqual([]);
  });

  it('are the next newer ones where the table lacks a version, and that is said', () => {
    const images = new BaseImages({ python: { '3.9': 'a', '3.11': 'b', '3.12': 'c' } });
    expect([images.of('python', '3.10'), images.of('python', '3.13')]).toEqual(['b', 'c']);
    expect(images.warnings).toEqual([
      'The image of python 3.11 is used: there is none of 3.10.',
      'The image of python 3.12 is used: there is none of 3.13.',
    ]);
  });

  it('follow a pattern', () => {
    expect(new BaseImages({ go: { '*': 'mirror.example/golang:{version}' } }).of('go', '1.24')).toBe(
      'mirror.example/golang:1.24',
    );
  });
});

import { archiveUrl, isHostOf } from './git-host.js';

describe('the provider of a repository', () => {
  it.each([
    ['github', 'github.com', true],
    ['github', 'ssh.github.com', true],
    ['github', 'gitlab.com', false],
    ['github', 'git.example.com', false],
    ['github', 'github.example.com', true],
    ['github', 'github.com.evil.example', true],
    ['gitlab', 'gitlab.com', true],
    ['gitlab', 'git.example.com', true],
    ['gitlab', 'github.com', false],
    ['bitbucket', 'bitbucket.org', true],
    ['bitbucket', 'example.org', false],
    ['gitea', '127.0.0.1', true],
    ['gitea', 'codeberg.org', true],
    ['gitea', 'bitbucket.org', false],
  ] as const)('%s has a repository on %s: %s', (provider, host, expected) => {
    expect(isHostOf(provider, host)).toBe(expected);
  });

  it('has its own address for archives', () => {
    const of = (provider: Parameters<typeof archiveUrl>[0]) => archiveUrl(provider, 'https://h.example/o/r.git', 'abc');
    expect(of('github')).toBe('https://h.example/o/r/archive/abc.tar.gz');
    expect(of('gitlab')).toBe('https://h.example/o/r/-/archive/abc/source.tar.gz');
    expect(of('bitbucket')).toBe('https://h.example/o/r/get/abc.tar.gz');
    expect(archiveUrl('gitea', 'git@h.example:o/r.git', 'abc')).toBeNull();
  });
});

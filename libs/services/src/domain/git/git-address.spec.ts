import { parseGitAddress } from './git-address.js';
import { isBranchName, parseGitRef } from './git-ref.js';

function urlOf(text: string): string | null {
  const parsed = parseGitAddress(text);
  return 'address' in parsed ? parsed.address.url : null;
}

describe('the address of a repository', () => {
  it.each([
    ['https://github.com/acme/shop.git', 'https://github.com/acme/shop.git'],
    ['HTTPS://GitHub.COM./acme/shop', 'https://github.com/acme/shop'],
    ['https://github.com:443/acme/shop', 'https://github.com/acme/shop'],
    ['https://git.example.com:8443/~me/shop.git', 'https://git.example.com:8443/~me/shop.git'],
    ['https://bücher.example/a/b', 'https://xn--bcher-kva.example/a/b'],
    ['git@github.com:acme/shop.git', 'git@github.com:acme/shop.git'],
    ['github.com:acme/shop.git', 'git@github.com:acme/shop.git'],
    ['ssh://git@github.com/acme/shop.git', 'ssh://git@github.com/acme/shop.git'],
    ['ssh://git.example.com:2222/acme/shop.git', 'ssh://git@git.example.com:2222/acme/shop.git'],
    ['https://[2606:4700::1111]/a/b', 'https://[2606:4700::1111]/a/b'],
    // Whatever they look like, these are addresses, and are checked as what they are.
    ['https://0x7f.1/a/b', 'https://127.0.0.1/a/b'],
    ['https://2130706433/a/b', 'https://127.0.0.1/a/b'],
    ['https://0177.0.0.1/a/b', 'https://127.0.0.1/a/b'],
    ['https://①②⑦.⓪.⓪.①/a/b', 'https://127.0.0.1/a/b'],
    ['git@0x7f.1:a/b', 'git@127.0.0.1:a/b'],
  ])('reads %s', (text, url) => {
    expect(urlOf(text)).toBe(url);
  });

  it.each([
    ['', 'file:///etc', '/etc', './repo', '../repo', 'repo', 'C:\\repo', 'c:/repo'],
    ['git://github.com/a/b', 'http://github.com/a/b', 'ftp://github.com/a/b', 'fd::17', 'ext::sh -c id', 'ext::id'],
    ['--upload-pack=id', '-oProxyCommand=id', 'ssh://-oProxyCommand=id/a', 'git@-oProxyCommand=id:a/b'],
    ['git@github.com:-oX', 'ssh://git@github.com/-x/b', '-x@github.com:a/b', 'ssh://-x@github.com/a/b'],
    ['https://me:secret@github.com/a/b', 'https://token@github.com/a/b', 'https://@github.com/a/b'],
    ['ssh://git:secret@github.com/a/b', 'https://github.com', 'https://github.com/', 'https:///a/b', 'ssh:///a/b'],
    ['https://github.com/a/b?x=1', 'https://github.com/a/b#x', 'https://github.com:0/a', 'https://github.com:99999/a'],
    ['https://github.com/a b', 'https://github.com/a\nb', 'https://github.com/a%0ab', 'https://github.com/a%00b'],
    ['https://github.com/a`id`', 'https://github.com/$(id)', 'https://github.com/a;id', 'git@github.com:a/../b'],
    ['https://github.com/a%2fb', 'https://git%68ub.com\\@127.0.0.1/a', 'https://[::1/a', 'https://[fe80::1%25eth0]/a'],
    ['https://-github.com/a/b', 'https://git_hub..com/a/b', `https://github.com/${'a'.repeat(1100)}`],
  ])('refuses %s, %s, %s, %s and their like', (...texts) => {
    for (const text of texts) if (typeof text === 'string') expect([text, urlOf(text)]).toEqual([text, null]);
  });

  it('tells transport, host, port, user and path apart', () => {
    expect(parseGitAddress('ssh://deploy@Git.Example.com:2222/acme/shop.git')).toEqual({
      address: {
        transport: 'ssh',
        host: 'git.example.com',
        port: 2222,
        user: 'deploy',
        path: '/acme/shop.git',
        url: 'ssh://deploy@git.example.com:2222/acme/shop.git',
      },
    });
  });
});

describe('a branch, tag or commit', () => {
  it.each(['main', 'feature/a-b', 'v1.2.3', 'release_1', 'ünïcode', 'a@b'])('takes %s', (name) => {
    expect(parseGitRef(name)).toEqual({ kind: 'branch', name });
  });

  it.each(['', '@', '-x', '--upload-pack=x', 'a..b', 'x^{}', 'a b', 'a~1', 'a:b', 'a?', 'a*', 'a[', 'a\\b', 'a@{1}'])(
    'refuses %p',
    (name) => {
      expect(isBranchName(name)).toBe(false);
    },
  );

  it.each(['/a', 'a/', 'a//b', '.a', 'a/.b', 'a.lock', 'a.', 'a.lock/b', 'a\nb', 'a'.repeat(256)])(
    'refuses %p',
    (name) => {
      expect(isBranchName(name)).toBe(false);
    },
  );

  it('takes a whole commit id, in lower case', () => {
    expect(parseGitRef('A'.repeat(40))).toEqual({ kind: 'commit', sha: 'a'.repeat(40) });
  });
});

import { providerOf, statusCall, type CommitStatus } from './commit-status.js';
import { parseGitAddress } from './git-address.js';

const STATUS: CommitStatus = {
  state: 'success',
  commit: 'c'.repeat(40),
  serviceName: 'shop',
  serviceId: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11',
  targetUrl: 'https://panel.example.com/console/deployments/1',
};

function addressOf(text: string) {
  const parsed = parseGitAddress(text);
  if ('defect' in parsed) throw new Error(parsed.defect);
  return parsed.address;
}

const end = STATUS.commit;

describe('the status of a commit', () => {
  it.each([
    ['https://github.com/acme/shop.git', 'github', `https://api.github.com:443/repos/acme/shop/statuses/${end}`],
    ['git@github.com:acme/shop.git', 'github', `https://api.github.com:443/repos/acme/shop/statuses/${end}`],
    ['https://gitlab.com/a/b/shop', 'gitlab', `https://gitlab.com:443/api/v4/projects/a%2Fb%2Fshop/statuses/${end}`],
    [
      ...(['ssh://git@bitbucket.org/acme/shop.git', 'bitbucket'] as const),
      `https://api.bitbucket.org:443/2.0/repositories/acme/shop/commit/${end}/statuses/build`,
    ],
  ] as const)('of %s is told to %s, known by its name', (url, provider, expected) => {
    const address = addressOf(url);
    expect(providerOf(address)).toBe(provider);
    const call = statusCall(provider, address, STATUS);
    expect(call && `https://${call.host}:${call.port}${call.path}`).toBe(expected);
  });

  it.each([
    ['https://git.example.com:8443/acme/shop', 'gitea', `git.example.com:8443/api/v1/repos/acme/shop/statuses/${end}`],
    [
      'ssh://git@git.example.com:2222/acme/shop.git',
      'gitea',
      `git.example.com:443/api/v1/repos/acme/shop/statuses/${end}`,
    ],
    ['https://git.example.com/acme/shop', 'github', `git.example.com:443/api/v3/repos/acme/shop/statuses/${end}`],
  ] as const)('of %s is told to a %s of one’s own', (url, provider, expected) => {
    const address = addressOf(url);
    expect(providerOf(address)).toBeNull();
    const call = statusCall(provider, address, STATUS);
    expect(call && `${call.host}:${call.port}${call.path}`).toBe(expected);
  });

  it.each(['https://github.com/shop', 'https://github.com/a/b/c', 'https://github.com/a//c'])(
    'of %s is told to nobody: that is no repository there',
    (url) => {
      expect(statusCall('github', addressOf(url), STATUS)).toBeNull();
    },
  );

  it('has a short key at Bitbucket, whatever the name of the service is', () => {
    const call = statusCall('bitbucket', addressOf('https://bitbucket.org/a/b'), {
      ...STATUS,
      serviceName: 'x'.repeat(200),
    });
    expect(call?.body['key']).toBe('panel-2c6a5c1f0a11');
  });
});

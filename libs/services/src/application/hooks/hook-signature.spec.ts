import { createHmac } from 'node:crypto';
import { SecretText } from '#kernel/crypto/secret-text';
import { hostOf, isGenuine } from './hook-signature.js';

/** The example of GitHub's own documentation. */
const SECRET = new SecretText("It's a Secret to Everybody");
const BODY = Buffer.from('Hello, World!');
const SIGNATURE = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';

describe('the signature of a delivery', () => {
  it.each([
    ['github', { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${SIGNATURE}` }],
    ['gitea', { 'x-gitea-event': 'push', 'x-github-event': 'push', 'x-gitea-signature': SIGNATURE }],
    ['gitea', { 'x-forgejo-event': 'push', 'x-forgejo-signature': SIGNATURE }],
    ['bitbucket', { 'x-event-key': 'repo:push', 'x-hub-signature': `sha256=${SIGNATURE}` }],
    ['gitlab', { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': SECRET.reveal() }],
  ] as const)('is that of %s', (provider, headers) => {
    const message = { headers, body: BODY };
    expect(hostOf(message)?.provider).toBe(provider);
    expect(isGenuine(provider, message, SECRET)).toBe(true);
    expect(isGenuine(provider, message, new SecretText('another'))).toBe(false);
    if (provider !== 'gitlab')
      expect(isGenuine(provider, { headers, body: Buffer.from('Hello, World?') }, SECRET)).toBe(false);
  });

  it.each([
    ['none at all', { 'x-github-event': 'push' }],
    ['by an older method', { 'x-github-event': 'push', 'x-hub-signature': `sha1=${'0'.repeat(40)}` }],
    ['cut short', { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${SIGNATURE.slice(0, 62)}` }],
    ['twice', { 'x-github-event': 'push', 'x-hub-signature-256': [`sha256=${SIGNATURE}`, `sha256=${SIGNATURE}`] }],
    ['by an empty secret', { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${byNothing()}` }],
  ])('is refused: %s', (_, headers) => {
    expect(isGenuine('github', { headers, body: BODY }, SECRET)).toBe(false);
  });

  it('of one host does not do for another', () => {
    const message = {
      headers: { 'x-gitlab-event': 'Push Hook', 'x-hub-signature-256': `sha256=${SIGNATURE}` },
      body: BODY,
    };
    expect(hostOf(message)?.provider).toBe('gitlab');
    expect(isGenuine('gitlab', message, SECRET)).toBe(false);
  });
});

function byNothing(): string {
  return createHmac('sha256', '').update(BODY).digest('hex');
}

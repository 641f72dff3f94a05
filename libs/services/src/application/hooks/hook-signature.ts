import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SecretText } from '#kernel/crypto/secret-text';
import type { GitProvider } from '../../domain/git/push-event.js';

/** A message as it was received. */
export interface HookMessage {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The exact bytes, because the signature covers them. */
  readonly body: Buffer;
}

/** The sender and the event, according to the headers. Null if it is none of the four kinds of host. */
export function hostOf({ headers }: HookMessage): { readonly provider: GitProvider; readonly event: string } | null {
  const of = (name: string) => one(headers[name]);
  // First, because Gitea also sends the headers of GitHub.
  const gitea = of('x-gitea-event') ?? of('x-forgejo-event');
  if (gitea) return { provider: 'gitea', event: gitea };
  const github = of('x-github-event');
  if (github) return { provider: 'github', event: github };
  const gitlab = of('x-gitlab-event');
  if (gitlab) return { provider: 'gitlab', event: gitlab };
  const bitbucket = of('x-event-key');
  return bitbucket ? { provider: 'bitbucket', event: bitbucket } : null;
}

/** Whether the sender knows the secret. Compares in constant time. */
export function isGenuine(provider: GitProvider, { headers, body }: HookMessage, secret: SecretText): boolean {
  const of = (name: string) => one(headers[name]);
  switch (provider) {
    case 'github':
      return isSigned(body, of('x-hub-signature-256')?.replace(/^sha256=/, ''), secret);
    case 'gitea':
      return isSigned(body, of('x-gitea-signature') ?? of('x-forgejo-signature'), secret);
    case 'bitbucket':
      return isSigned(body, of('x-hub-signature')?.replace(/^sha256=/, ''), secret);
    case 'gitlab':
      return isSecret(of('x-gitlab-token'), secret);
  }
}

function isSigned(body: Buffer, signature: string | undefined, secret: SecretText): boolean {
  if (signature === undefined || !/^[0-9a-f]{64}$/i.test(signature)) return false;
  const expected = createHmac('sha256', secret.reveal()).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

/** Compares hashes, so that the time does not reveal the length of the secret either. */
function isSecret(token: string | undefined, secret: SecretText): boolean {
  if (token === undefined) return false;
  const digest = (text: string) => createHmac('sha256', 'hook').update(text).digest();
  return timingSafeEqual(digest(token), digest(secret.reveal()));
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

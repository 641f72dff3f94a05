import { createHmac } from 'node:crypto';

export type Host = 'github' | 'gitea' | 'gitlab' | 'bitbucket';

export interface Hook {
  readonly url: string;
  readonly secret: string;
}

const PUSHED: Readonly<Record<Host, string>> = {
  github: 'push',
  gitea: 'push',
  gitlab: 'Push Hook',
  bitbucket: 'repo:push',
};

/** Sends a delivery to a hook as that host does. @param event defaults to a push */
export async function deliver(api: string, host: Host, { url, secret }: Hook, payload: object, event = PUSHED[host]) {
  const body = JSON.stringify(payload);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers: Record<Host, Record<string, string>> = {
    github: { 'x-github-event': event, 'x-hub-signature-256': `sha256=${signature}` },
    gitea: {
      'x-gitea-event': event,
      'x-gogs-event': event,
      'x-github-event': event,
      'x-gitea-signature': signature,
      'x-hub-signature-256': `sha256=${signature}`,
    },
    gitlab: { 'x-gitlab-event': event, 'x-gitlab-token': secret },
    bitbucket: { 'x-event-key': event, 'x-hub-signature': `sha256=${signature}` },
  };
  const answer = await fetch(`${api}${new URL(url).pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers[host] },
    body,
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

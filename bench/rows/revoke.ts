import { load } from '../lib/load.js';
import { getRequest, inTurn } from '../lib/requests.js';
import { repeat } from '../lib/rounds.js';
import type { Program } from '../lib/program.js';
import type { Row } from '../lib/row.js';
import { tokenOf } from '../seed/bench-tokens.js';

const REVOCATIONS_PER_ROUND = 5;

/** How long a token is still accepted after the response that confirms its revocation. */
export const revoke: Row = {
  number: '17',
  work: 'token revoked to last request accepted with it',
  unit: 'ms',
  baseline: '-',
  better: 'lower',
  floor: 0,
  ambitious: 0,
  async run(stage) {
    await stage.fill();
    const product = await stage.partnerApi();
    return repeat(stage.options.rounds, async () => {
      let worst = 0;
      for (let i = 0; i < REVOCATIONS_PER_ROUND; i++) worst = Math.max(worst, await revokeUnderLoad(product));
      return worst;
    });
  },
};

async function revokeUnderLoad(product: Program): Promise<number> {
  const created = await call(product, 'POST', '/v1/tokens', { label: 'to be revoked', scope: 'read' });
  const { id, token } = created as { id: string; token: string };
  let lastAcceptedAt = 0;
  let accepted = 0;
  let refused = 0;
  const onAnswer = (status: number, sentAt: number) => {
    if (status === 200) {
      accepted++;
      lastAcceptedAt = Math.max(lastAcceptedAt, sentAt);
    } else refused++;
  };
  const next = inTurn([getRequest('/v1/me', token)]);
  const flood = load({ port: product.port, connections: 16, seconds: 0.6, next, onAnswer });
  await new Promise((resolve) => setTimeout(resolve, 250));
  await call(product, 'DELETE', `/v1/tokens/${id}`);
  const revokedAt = performance.now();
  await flood;
  if (accepted === 0 || refused === 0) throw new Error(`no revocation seen: ${accepted} accepted, ${refused} refused`);
  return Math.max(0, lastAcceptedAt - revokedAt);
}

async function call(product: Program, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${product.port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tokenOf({ index: 1 })}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer.status === 204 ? null : answer.json();
}

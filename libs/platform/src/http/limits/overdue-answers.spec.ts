import { fastify } from 'fastify';
import { answerOverdue } from './overdue-answers.js';

describe('a response that does not begin in time', () => {
  it('is 503, and the late result of the handler is dropped; other requests are not affected', async () => {
    const app = fastify();
    answerOverdue(
      app,
      ({ status }) => ({ refused: status }),
      () => false,
      { maxMs: 150, sweepMs: 10 },
    );
    let finish: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    app.get('/stuck', async () => {
      await gate;
      return { late: true };
    });
    app.get('/streamed', (_request, reply) => {
      reply.raw.write('begun ');
      reply.hijack();
      void gate.then(() => reply.raw.end('ended'));
    });
    app.get('/quick', () => ({ quick: true }));
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const streamed = fetch(`${url}/streamed`).then((answer) => answer.text());
    const stuck = await fetch(`${url}/stuck`);
    expect([stuck.status, await stuck.json()]).toEqual([503, { refused: 503 }]);
    finish();
    expect(await (await fetch(`${url}/quick`)).json()).toEqual({ quick: true });
    expect(await streamed).toBe('begun ended');
    await app.close();
  });
});

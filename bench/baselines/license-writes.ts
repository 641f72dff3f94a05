import { randomUUID } from 'node:crypto';
import { serve } from './serve.js';

const INSERT = `insert into bench.raw_licenses (id, customer_id, contract_id, edition, state) values ($1, $2, $3, $4, 'active')`;
const EVENT = 'insert into bench.raw_events (license_id, event, at) values ($1, $2, now())';
const UPDATE = 'update bench.raw_licenses set state = $2 where id = $1';

interface IssueBody {
  readonly customerId: string;
  readonly contractId: string;
  readonly edition: string;
}

/** Two statements in a transaction: the record and its event. No authentication, rules, key or chain. */
await serve((app, pool) => {
  const inTransaction = async (first: string, firstValues: unknown[], licenseId: string, event: string) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query({ name: first, text: first, values: firstValues });
      await client.query({ name: 'event', text: EVENT, values: [licenseId, event] });
      await client.query('commit');
    } finally {
      client.release();
    }
  };
  app.post<{ Body: IssueBody }>('/licenses', async ({ body }, reply) => {
    const id = randomUUID();
    await inTransaction(INSERT, [id, body.customerId, body.contractId, body.edition], id, 'issued');
    return reply.code(201).send({ id, ...body });
  });
  app.post<{ Params: { id: string; call: string } }>('/licenses/:id/:call', async ({ params: { id, call } }) => {
    await inTransaction(UPDATE, [id, call], id, call);
    return { id, state: call };
  });
});

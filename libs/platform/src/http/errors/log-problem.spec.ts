import { Writable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { QueryFailedError } from 'typeorm';
import { Conflict, Unavailable } from '#kernel/errors';
import { createLogger } from '../../logging.js';
import { problemOf } from '../../problem.js';
import { logProblem } from './log-problem.js';

interface LogLine {
  readonly level: string;
  readonly requestId: string;
  readonly status: number;
  readonly err: Error & { readonly cause: Error };
}

describe('the log line of a failed request', () => {
  /** The line logged for `error`. */
  function lineAbout(error: unknown): LogLine {
    let text = '';
    const log = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        text += chunk.toString('utf8');
        done();
      },
    });
    logProblem(createLogger('test', 'debug', log), { id: 'r-1' } as FastifyRequest, problemOf(error), error);
    return JSON.parse(text) as LogLine;
  }

  const failedQuery = () => {
    const driver = Object.assign(new Error('duplicate key value'), { code: '23505', detail: '(key)=(secret-1)' });
    return new QueryFailedError('insert into t values ($1)', ['secret-1'], driver);
  };

  it('contains the stack and the messages of all causes', () => {
    const { level, err, requestId, status } = lineAbout(new Error('out', { cause: new Error('in') }));
    expect([level, requestId, status, err.message, err.cause.message]).toEqual(['error', 'r-1', 500, 'out', 'in']);
    expect(err.stack).toContain('log-problem.spec');
  });

  it('contains no statement parameters and no row details', () => {
    const line = lineAbout(failedQuery());
    expect(line.err).toMatchObject({ type: 'QueryFailedError', code: '23505' });
    expect(JSON.stringify(line)).not.toContain('secret-1');
    const wrapped = lineAbout(new Unavailable('database', 'Try again.', { cause: failedQuery() }));
    expect(JSON.stringify(wrapped)).not.toContain('secret-1');
  });

  it('contains only the message of the cause of a refusal', () => {
    const body = new URLSearchParams({ client_secret: 'secret-1' });
    const cause = Object.assign(new Error('invalid_grant'), { request: { body } });
    const line = lineAbout(new Conflict('c', 'No.', { cause }));
    expect(line).toMatchObject({ level: 'debug', status: 409, slug: 'c', cause: 'Error: invalid_grant' });
    expect(JSON.stringify(line)).not.toContain('secret-1');
  });

  it.each([[null], [undefined], ['text'], [{ cause: 1 }]])('accepts %j as a thrown value', (thrown) => {
    expect(lineAbout(thrown).status).toBe(500);
  });
});

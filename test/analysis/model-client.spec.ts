import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { SecretText } from '#kernel/crypto/secret-text';
import { SystemRandomness } from '#kernel/crypto/randomness';
import { SystemClock } from '#kernel/time/clock';
import { PATIENCE } from '../../tools/lib/tests/patience.mjs';
import { ModelQuestions } from '../../libs/analysis/src/application/model-questions.js';
import { OpenAiModelClient } from '../../libs/analysis/src/infrastructure/model/openai-model-client.js';
import { PrometheusFigures } from '../../libs/analysis/src/infrastructure/prometheus-figures.js';
import { eventually } from '../support/docker/eventually.js';
import { ModelServer, obeys, PLAIN_ANSWER, says, saysPlainly } from '../support/analysis/model-server.js';

const FILES = [{ path: 'README.md', text: '# Shop' }];
const GOOD = JSON.stringify(PLAIN_ANSWER);

describe('asking a model', () => {
  let server: ModelServer;
  let registry: Registry;
  let questions: ModelQuestions;
  let spent: number[];

  beforeAll(async () => {
    server = await ModelServer.start();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.questions.length = 0;
    server.left = 0;
    spent = [];
    questions = withTimeout(1_500);
  });

  const withTimeout = (timeoutMs: number) => {
    registry = new Registry();
    return new ModelQuestions(
      new OpenAiModelClient(),
      { timeoutMs, tokensPerDay: 1, inputTokens: 1 },
      new PrometheusFigures(registry),
      new SystemRandomness(),
      new SystemClock(),
    );
  };
  const ask = (signal: AbortSignal = new AbortController().signal) =>
    questions.ask(
      { baseUrl: server.url, apiKey: new SecretText('key-of-the-operator'), model: 'test' },
      FILES,
      'language: node',
      (tokens) => Promise.resolve(void spent.push(tokens)),
      signal,
    );

  it('sends the files between random marks in the user message, the key, and a strict schema', async () => {
    server.behaviour = saysPlainly();
    await ask();
    await ask();
    const [first, second] = server.questions;
    expect(server.authorizations.at(-1)).toBe('Bearer key-of-the-operator');
    expect(first).toMatchObject({ model: 'test', temperature: 0, response_format: { type: 'json_schema' } });
    expect(first!.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(first!.messages[1]!.content).toContain('# Shop');
    expect(first!.messages[0]!.content).not.toContain('# Shop');
    expect(first!.messages[1]!.content).not.toBe(second!.messages[1]!.content);
    expect(spent).toEqual([150, 150]);
  });

  it.each([
    ['JSON alone', GOOD],
    ['a code fence', `Sure!\n\`\`\`json\n${GOOD}\n\`\`\``],
    ['its thoughts before it', `<think>\n{"a": 1}\n</think>\n${GOOD}`],
  ])('reads an answer with %s', async (_what, text) => {
    server.behaviour = (_question, answer) => says(answer, text);
    await expect(ask()).resolves.toMatchObject({ summary: PLAIN_ANSWER.summary });
  });

  it('lets the model repair an answer once', async () => {
    server.behaviour = ({ messages }, answer) => says(answer, messages.length > 2 ? GOOD : '{"summary": 7}');
    await expect(ask()).resolves.toMatchObject(PLAIN_ANSWER);
    expect(server.questions.map(({ messages }) => messages.length)).toEqual([2, 4]);
    server.behaviour = (_question, answer) => says(answer, 'no');
    await expect(ask()).rejects.toMatchObject({ code: 'invalid_answer' });
    expect(spent).toHaveLength(4);
  });

  it('falls back from json_schema to json_object to none, and remembers it', async () => {
    server.behaviour = (question, answer) => {
      if (!question.response_format) return says(answer, GOOD);
      answer.writeHead(400).end(`{"error": "response_format ${question.response_format.type} is not supported"}`);
    };
    await ask();
    expect(server.questions.map((question) => question.response_format?.type)).toEqual([
      'json_schema',
      'json_object',
      undefined,
    ]);
    server.questions.length = 0;
    await ask();
    expect(server.questions).toHaveLength(1);
  });

  it('takes the other name of the limit, and leaves a temperature out that is refused', async () => {
    server.behaviour = (question, answer) => {
      if (question.max_tokens !== undefined) return void answer.writeHead(400).end('Use max_completion_tokens');
      if (question.temperature !== undefined) return void answer.writeHead(400).end('temperature is not allowed');
      says(answer, GOOD);
    };
    await expect(ask()).resolves.toMatchObject(PLAIN_ANSWER);
  });

  it('waits as long as Retry-After says, and gives up after three tries', async () => {
    server.behaviour = (_question, answer) => {
      if (server.questions.length > 1) return says(answer, GOOD);
      answer.writeHead(429, { 'retry-after': '1' }).end('{}');
    };
    const began = Date.now();
    await ask();
    expect(Date.now() - began).toBeGreaterThanOrEqual(950);
    server.questions.length = 0;
    server.behaviour = (_question, answer) => void answer.writeHead(503, { 'retry-after': '0' }).end();
    await expect(ask()).rejects.toMatchObject({ code: 'provider_failed' });
    expect(server.questions).toHaveLength(3);
  });

  it.each([
    ['does not answer', () => undefined],
    [
      'drips',
      (answer: import('node:http').ServerResponse) => {
        answer.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => answer.write(' '), 50);
        answer.on('close', () => clearInterval(timer));
      },
    ],
  ])('ends after one time for all when the provider %s', async (_what, behave) => {
    questions = withTimeout(300);
    server.behaviour = (_question, answer) => behave(answer);
    await expect(ask()).rejects.toMatchObject({ code: 'provider_timeout' });
    await eventually(
      () => Promise.resolve(server.left),
      (left) => left === 1,
    );
  });

  it('cuts an endless answer off', async () => {
    server.behaviour = (_question, answer) => {
      answer.writeHead(200);
      const block = 'x'.repeat(65_536);
      const timer = setInterval(() => answer.write(block), 1);
      answer.on('close', () => clearInterval(timer));
    };
    await expect(ask()).rejects.toMatchObject({
      code: 'provider_failed',
      message: expect.stringContaining('too long'),
    });
  });

  it.each([
    ['malformed', '{"choices": []}'],
    ['no JSON', '<html>'],
  ])('refuses an answer that is %s', async (_what, body) => {
    server.behaviour = (_question, answer) => void answer.end(body);
    await expect(ask()).rejects.toMatchObject({ code: 'provider_failed' });
  });

  it.each([
    ['was cut off', { finish_reason: 'length' }],
    ['is a refusal', { message: { content: null, refusal: 'no' } }],
  ])('refuses an answer that %s', async (_what, more) => {
    server.behaviour = (_question, answer) => says(answer, '{"summary":"', more);
    await expect(ask()).rejects.toMatchObject({ code: 'provider_failed' });
  });

  it.each([
    ['an open fence and a megabyte of spaces', `\`\`\`json${' '.repeat(1_000_000)}`],
    ['a thought without end', `<think>${'<think> '.repeat(100_000)}`],
    ['lists in lists', `${'['.repeat(400_000)}${']'.repeat(400_000)}`],
    ['ten thousand variables', JSON.stringify({ ...PLAIN_ANSWER, env_vars: Array(10_000).fill({ name: 'A' }) })],
    [
      'a prototype',
      `${GOOD.slice(0, -1)},"__proto__":{"evil":true},"constructor":{"prototype":{"evil":true}},"port":"1"}`,
    ],
    ['other types', JSON.stringify({ ...PLAIN_ANSWER, volumes: { length: 1e9 }, summary: ['x'] })],
  ])('refuses a hostile answer at once: %s', async (_what, text) => {
    server.behaviour = (_question, answer) => says(answer, text);
    const began = Date.now();
    await expect(ask()).rejects.toMatchObject({ code: 'invalid_answer' });
    expect(Date.now() - began).toBeLessThan(1_500 * PATIENCE);
    expect(Object.hasOwn(Object.prototype, 'evil')).toBe(false);
    // What is sent back for the repair is short.
    expect(JSON.stringify(server.questions[1]).length).toBeLessThan(40_000);
  });

  it('does not follow a redirect, so that the key goes nowhere else', async () => {
    let asked = 0;
    const other = createServer((_request, answer) => {
      asked += 1;
      answer.end();
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    for (const status of [301, 302, 307, 308]) {
      server.behaviour = (_question, answer) => void answer.writeHead(status, { location }).end();
      await expect(ask()).rejects.toMatchObject({
        code: 'provider_failed',
        message: 'The AI provider sent a redirect.',
      });
    }
    expect(asked).toBe(0);
    other.close();
  });

  it('ends at once when it is cancelled', async () => {
    server.behaviour = () => undefined;
    const cancelled = new AbortController();
    const asking = ask(cancelled.signal);
    await eventually(
      () => Promise.resolve(server.questions.length),
      (count) => count === 1,
    );
    cancelled.abort();
    await expect(asking).rejects.toThrow();
  });

  it('tells Prometheus what was asked, how it ended and what it cost', async () => {
    server.behaviour = obeys;
    await ask();
    server.behaviour = (_question, answer) => void answer.writeHead(401).end();
    await ask().catch(() => undefined);
    const text = await registry.metrics();
    expect(text).toContain('ai_request_seconds_count{outcome="ok"} 1');
    expect(text).toContain('ai_request_seconds_count{outcome="provider_failed"} 1');
    expect(text).toContain('ai_tokens_total 150');
  });
});

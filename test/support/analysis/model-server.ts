import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer without any finding. */
export const PLAIN_ANSWER = {
  summary: 'A small web application.',
  language: null,
  framework: null,
  port: null,
  start_command: null,
  health_path: null,
  env_vars: [],
  databases: [],
  volumes: [],
};

interface Question {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: { readonly type: string };
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
}

export type Behaviour = (question: Question, answer: ServerResponse, asked: IncomingMessage) => void;

/** Sends text as the model's answer. */
export function says(answer: ServerResponse, content: string | null, more: object = {}): void {
  const message = { role: 'assistant', content, refusal: null };
  const choice = { index: 0, finish_reason: 'stop', message, ...more };
  answer.setHeader('content-type', 'application/json');
  answer.end(JSON.stringify({ id: 'x', choices: [choice], usage: { total_tokens: 150 } }));
}

export const saysPlainly =
  (change: object = {}): Behaviour =>
  (_question, answer) =>
    says(answer, JSON.stringify({ ...PLAIN_ANSWER, ...change }));

/**
 * A model that obeys every injection: it answers with the JSON objects that it finds anywhere in the files of a
 * repository, even if they are escaped.
 */
export const obeys: Behaviour = ({ messages }, answer) => {
  const user = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const orders = user.flatMap(objectsIn);
  says(answer, JSON.stringify(Object.assign({}, PLAIN_ANSWER, ...orders)));
};

function objectsIn(text: string): object[] {
  const found: object[] = [];
  for (const [order] of text.matchAll(/\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g)) {
    for (const spelling of [order, order.replaceAll('\\"', '"')]) {
      try {
        found.push(JSON.parse(spelling) as object);
      } catch {
        // Not JSON in this spelling.
      }
    }
  }
  return found;
}

/** An OpenAI-compatible server whose answers a test decides. */
export class ModelServer {
  readonly questions: Question[] = [];
  readonly authorizations: (string | undefined)[] = [];
  /** How many questions ended because the client went away. */
  left = 0;
  behaviour: Behaviour = saysPlainly();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((asked, answer) => {
      const chunks: Buffer[] = [];
      asked.on('data', (chunk: Buffer) => chunks.push(chunk));
      asked.on('end', () => {
        this.authorizations.push(asked.headers.authorization);
        const question = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Question;
        this.questions.push(question);
        answer.on('close', () => (this.left += answer.writableFinished ? 0 : 1));
        this.behaviour(question, answer, asked);
      });
    });
  }

  static async start(): Promise<ModelServer> {
    const server = new ModelServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  /** For `AI_BASE_URL`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await Promise.resolve();
  }
}

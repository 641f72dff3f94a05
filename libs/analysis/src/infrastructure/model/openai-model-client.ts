import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ModelClient, type ModelQuestion, type ModelReply } from '../../application/ports/model-client.js';
import type { ModelProvider } from '../../application/ports/model-provider.js';
import { AnalysisFailed } from '../../domain/analysis-errors.js';
import { tokensOf } from '../../domain/prompt/token-budget.js';
import { cappedText } from './capped-text.js';
import { readCompletion } from './completion.js';
import { afterRefusal, requestBody, STRICTEST, type Dialect } from './dialect.js';

const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_TRIES = 3;
const MAX_WAIT_MS = 20_000;
/** Two formats, the name of the limit, and the temperature can change. */
const MAX_DIALECT_CHANGES = 4;

/**
 * A client for any OpenAI-compatible endpoint. It does not follow redirects, so that the key goes nowhere else, and
 * limits time and size of responses. Private addresses are allowed, because the operator configures the endpoint.
 */
@Injectable()
export class OpenAiModelClient extends ModelClient {
  /** The dialect found for each provider. */
  readonly #dialects = new Map<string, Dialect>();

  async ask(provider: ModelProvider, question: ModelQuestion, signal: AbortSignal): Promise<ModelReply> {
    const known = `${provider.baseUrl} ${provider.model}`;
    let dialect = this.#dialects.get(known) ?? STRICTEST;
    let tries = 0;
    let changes = 0;
    for (;;) {
      const { status, text, retryAfter } = await this.post(provider, question, dialect, signal);
      if (status === 200) return replyOf(text, question);
      const simpler = status === 400 || status === 422 ? afterRefusal(dialect, text) : null;
      if (simpler && changes < MAX_DIALECT_CHANGES) {
        changes += 1;
        dialect = simpler;
        this.#dialects.set(known, dialect);
        continue;
      }
      tries += 1;
      if ((status !== 429 && status < 500) || tries >= MAX_TRIES)
        throw new AnalysisFailed('provider_failed', `The AI provider answered with status ${status}.`);
      await sleep(Math.min(retryAfter ?? 1000 * 2 ** (tries - 1), MAX_WAIT_MS), undefined, { signal });
    }
  }

  private async post(provider: ModelProvider, question: ModelQuestion, dialect: Dialect, signal: AbortSignal) {
    const { baseUrl, apiKey } = provider;
    try {
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        redirect: 'manual',
        signal,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(apiKey ? { authorization: `Bearer ${apiKey.reveal()}` } : {}),
        },
        body: JSON.stringify(requestBody(provider.model, question, dialect)),
      });
      const { status } = response;
      const text = await cappedText(response, MAX_ANSWER_BYTES);
      if (status >= 300 && status < 400)
        throw new AnalysisFailed('provider_failed', 'The AI provider sent a redirect.');
      return { status, text, retryAfter: retryAfterMs(response.headers.get('retry-after')) };
    } catch (error) {
      if (signal.aborted || error instanceof AnalysisFailed) throw error;
      throw new AnalysisFailed('provider_failed', 'The AI provider cannot be reached.', { cause: error });
    }
  }
}

function replyOf(body: string, { messages }: ModelQuestion): ModelReply {
  const { text, tokens } = readCompletion(body);
  const asked = messages.reduce((sum, { content }) => sum + tokensOf(content), 0);
  return { text, tokens: tokens ?? asked + tokensOf(text) };
}

/** Parses seconds or a date; null for anything else. */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

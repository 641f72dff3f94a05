import { Injectable } from '@nestjs/common';
import { Randomness } from '#kernel/crypto/randomness';
import { Clock } from '#kernel/time/clock';
import { AnalysisFailed } from '../domain/analysis-errors.js';
import { questionOf, repairOf, type Message, type PromptFile } from '../domain/prompt/prompt.js';
import type { ModelAnswer } from '../domain/result/model-answer.js';
import { ANSWER_SCHEMA, parseAnswer } from './answer-schema.js';
import { AnalysisFigures } from './ports/analysis-figures.js';
import { ModelClient, type ModelReply } from './ports/model-client.js';
import type { ModelProvider } from './ports/model-provider.js';
import { AnalysisSettings } from './settings.js';

const BOUNDARY_BYTES = 12;
/** Maximum number of characters of an invalid answer that are sent back to the model. */
const MAX_REPEATED_LENGTH = 8_000;

/** Asks the model about a repository, and once more if its answer is invalid. */
@Injectable()
export class ModelQuestions {
  constructor(
    private readonly client: ModelClient,
    private readonly settings: AnalysisSettings,
    private readonly figures: AnalysisFigures,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  /**
   * @param spent called with the tokens of each question, even if its answer is rejected
   * @throws AnalysisFailed; the reason of the signal
   */
  async ask(
    provider: ModelProvider,
    files: readonly PromptFile[],
    known: string,
    spent: (tokens: number) => Promise<void>,
    signal: AbortSignal,
  ): Promise<ModelAnswer> {
    const boundary = this.randomness.bytes(BOUNDARY_BYTES).toString('hex');
    const ends = AbortSignal.any([signal, AbortSignal.timeout(this.settings.timeoutMs)]);
    const messages: Message[] = [...questionOf(files, known, boundary)];
    let problem = '';
    for (let attempt = 0; attempt < 2; attempt++) {
      const reply = await this.one(provider, messages, signal, ends);
      await spent(reply.tokens);
      const parsed = parseAnswer(reply.text);
      if ('answer' in parsed) return parsed.answer;
      problem = parsed.problem;
      messages.push({ role: 'assistant', content: reply.text.slice(0, MAX_REPEATED_LENGTH) }, repairOf(problem));
    }
    throw new AnalysisFailed('invalid_answer', `The model's answer cannot be used: ${problem}.`);
  }

  private async one(
    provider: ModelProvider,
    messages: readonly Message[],
    cancelled: AbortSignal,
    ends: AbortSignal,
  ): Promise<ModelReply> {
    const began = this.clock.now().getTime();
    const seconds = () => (this.clock.now().getTime() - began) / 1000;
    try {
      const reply = await this.client.ask(provider, { messages, schema: ANSWER_SCHEMA }, ends);
      this.figures.asked('ok', reply.tokens, seconds());
      return reply;
    } catch (error) {
      if (cancelled.aborted) throw error;
      const failure = ends.aborted ? new AnalysisFailed('provider_timeout', 'The AI provider took too long.') : error;
      this.figures.asked(failure instanceof AnalysisFailed ? failure.code : 'internal_error', 0, seconds());
      throw failure;
    }
  }
}

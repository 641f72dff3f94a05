import { Counter, Histogram, type Registry } from 'prom-client';
import { AnalysisFigures } from '../application/ports/analysis-figures.js';

const SECONDS = [1, 2, 5, 10, 20, 40, 60, 120, 300];

export class PrometheusFigures extends AnalysisFigures {
  readonly #finished: Histogram<'outcome'>;
  readonly #asked: Histogram<'outcome'>;
  readonly #tokens: Counter;

  constructor(registry: Registry) {
    super();
    const registers = [registry];
    const timed = { registers, buckets: SECONDS, labelNames: ['outcome'] as const };
    this.#finished = new Histogram({ ...timed, name: 'analysis_seconds', help: 'Analyses of repositories' });
    this.#asked = new Histogram({ ...timed, name: 'ai_request_seconds', help: 'Questions to the AI provider' });
    this.#tokens = new Counter({ registers, name: 'ai_tokens_total', help: 'Tokens of these questions' });
  }

  finished(outcome: string, seconds: number): void {
    this.#finished.observe({ outcome }, seconds);
  }

  asked(outcome: string, tokens: number, seconds: number): void {
    this.#asked.observe({ outcome }, seconds);
    this.#tokens.inc(tokens);
  }
}

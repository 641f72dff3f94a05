import { z } from 'zod';
import { AnalysisFailed } from '../../domain/analysis-errors.js';

const completion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish(),
        message: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z.looseObject({ total_tokens: z.number().int().nonnegative() }).nullish(),
});

/** @throws AnalysisFailed for an invalid, refused or truncated answer */
export function readCompletion(body: string): { readonly text: string; readonly tokens: number | null } {
  const parsed = completion.safeParse(jsonOf(body));
  if (!parsed.success) throw new AnalysisFailed('provider_failed', "The AI provider's answer cannot be read.");
  const { choices, usage } = parsed.data;
  const { finish_reason: ending, message } = choices[0]!;
  if (message.refusal) throw new AnalysisFailed('provider_failed', 'The model refused to answer.');
  if (ending === 'length') throw new AnalysisFailed('provider_failed', "The model's answer was cut off.");
  return { text: message.content ?? '', tokens: usage?.total_tokens ?? null };
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

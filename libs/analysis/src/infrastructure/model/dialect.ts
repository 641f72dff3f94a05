import type { ModelQuestion } from '../../application/ports/model-client.js';

const MAX_ANSWER_TOKENS = 4_000;

/** The request options that a provider supports. */
export interface Dialect {
  readonly format: 'json_schema' | 'json_object' | 'none';
  readonly limit: 'max_tokens' | 'max_completion_tokens';
  readonly hasTemperature: boolean;
}

export const STRICTEST: Dialect = { format: 'json_schema', limit: 'max_tokens', hasTemperature: true };

/** The dialect to try next, depending on which option the provider rejected; null if it did not reject one. */
export function afterRefusal(dialect: Dialect, text: string): Dialect | null {
  if (dialect.limit === 'max_tokens' && /max_completion_tokens/.test(text))
    return { ...dialect, limit: 'max_completion_tokens' };
  if (dialect.hasTemperature && /temperature/i.test(text)) return { ...dialect, hasTemperature: false };
  if (!/response_format|json_schema|json_object|schema|unsupported|not supported|grammar/i.test(text)) return null;
  if (dialect.format === 'json_schema') return { ...dialect, format: 'json_object' };
  return dialect.format === 'json_object' ? { ...dialect, format: 'none' } : null;
}

export function requestBody(model: string, { messages, schema }: ModelQuestion, dialect: Dialect): object {
  return {
    model,
    messages,
    stream: false,
    [dialect.limit]: MAX_ANSWER_TOKENS,
    ...(dialect.hasTemperature ? { temperature: 0 } : {}),
    ...formatOf(dialect, schema),
  };
}

function formatOf({ format }: Dialect, schema: ModelQuestion['schema']): object {
  if (format === 'none') return {};
  if (format === 'json_object') return { response_format: { type: format } };
  return { response_format: { type: format, json_schema: { name: 'analysis', strict: true, schema } } };
}

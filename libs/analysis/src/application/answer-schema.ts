import { z } from 'zod';
import type { ModelAnswer } from '../domain/result/model-answer.js';

const LANGUAGES = ['node', 'python', 'go', 'php', 'ruby', 'java', 'rust', 'static', 'other'] as const;

/** The required form of an answer. Sizes are checked here, because providers often cannot check them. */
const answer = z.object({
  summary: z.string().max(4_000),
  language: z.enum(LANGUAGES).nullable(),
  framework: z.string().max(100).nullable(),
  port: z.number().int().nullable(),
  start_command: z.string().max(1_000).nullable(),
  health_path: z.string().max(200).nullable(),
  env_vars: z
    .array(
      z.object({
        name: z.string().max(100),
        required: z.boolean(),
        secret: z.boolean(),
        default: z.string().max(500).nullable(),
        description: z.string().max(1_000).nullable(),
        evidence: z.string().max(400),
      }),
    )
    .max(100),
  databases: z.array(z.string().max(50)).max(20),
  volumes: z.array(z.string().max(200)).max(20),
});

/** Keywords that some providers reject. */
const LEFT_OUT = new Set([
  '$schema',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'minimum',
  'maximum',
  'pattern',
]);

/** The schema in the form that providers accept: every object closed, every key required, no limits. */
export const ANSWER_SCHEMA = reduced(z.toJSONSchema(answer, { target: 'draft-7' })) as Record<string, unknown>;

export type ParsedAnswer = { readonly answer: ModelAnswer } | { readonly problem: string };

/** Extracts the JSON object from the answer of a model, which may put it after its reasoning or in a code fence. */
export function parseAnswer(text: string): ParsedAnswer {
  const spoken = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  const data = jsonOf(spoken) ?? jsonOf(insideFence(spoken));
  if (data === null) return { problem: 'it is not JSON' };
  const parsed = answer.safeParse(data);
  if (parsed.success) return { answer: parsed.data };
  const places = parsed.error.issues.map(({ path, code }) => `/${path.join('/')} ${code}`);
  return { problem: places.join('; ').slice(0, 800) };
}

/** Without a pattern: a hostile answer of a megabyte would keep one busy for minutes. */
function insideFence(text: string): string {
  const [, inside = ''] = text.split('```', 2);
  return inside.startsWith('json') ? inside.slice('json'.length) : inside;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function reduced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reduced);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, reduced(inner)]));
}

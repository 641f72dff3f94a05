import { z } from 'zod';
import { Invalid } from '#kernel/errors';
import { isJsonObject } from '#kernel/text/json-object';
import { HttpRefusal } from '#platform/problem';
import { DEFAULT_TAIL, MAX_TAIL } from '../realtime-limits.js';

const fields = z.object({
  v: z.literal(1, 'must be 1').optional(),
  type: z.enum(['auth', 'subscribe', 'unsubscribe', 'ping'], 'must be auth, subscribe, unsubscribe or ping'),
  id: z.string('must be a string').max(64, 'must have at most 64 characters').optional(),
});
const channel = z.string('must be a string').min(1, 'must not be empty').max(200, 'must have at most 200 characters');
const wholeFrom0 = z.number('must be a whole number').int('must be a whole number').min(0, 'must not be negative');

const auth = fields.extend({ token: z.string('must be a string').min(1, 'must not be empty').max(200, 'is too long') });
const subscribe = fields.extend({
  channel,
  since: wholeFrom0.nullable().default(null),
  tail: wholeFrom0.max(MAX_TAIL, `must be at most ${MAX_TAIL}`).default(DEFAULT_TAIL),
});
const unsubscribe = fields.extend({ channel });

type Of<Type extends string, Schema extends z.ZodType> = { readonly type: Type } & Omit<
  z.output<Schema>,
  keyof z.output<typeof fields>
>;

export type ClientMessage = { readonly id?: string } & (
  | Of<'auth', typeof auth>
  | Of<'subscribe', typeof subscribe>
  | Of<'unsubscribe', typeof unsubscribe>
  | { readonly type: 'ping' }
);

/** A refused message, with the details for the error that is sent back. */
export class MessageRefused extends Error {
  constructor(
    readonly reason: Error,
    readonly id: string | undefined,
    readonly channel: string | undefined,
  ) {
    super(reason.message);
  }
}

/**
 * Parses a text frame. The arguments may be beside `type` or in `data`. Unknown fields are ignored.
 * @throws MessageRefused
 */
export function readMessage(text: string): ClientMessage {
  const raw = parsed(text);
  const data = isJsonObject(raw.data) ? raw.data : {};
  const field = (name: string): unknown => (Object.hasOwn(raw, name) ? raw[name] : own(data, name));
  const id = typeof raw.id === 'string' && raw.id.length <= 64 ? raw.id : undefined;
  const told = field('channel');
  const checked = <T>(schema: z.ZodType<T>, value: unknown): T => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    throw new MessageRefused(invalid(result.error), id, typeof told === 'string' ? told.slice(0, 200) : undefined);
  };
  const every = { v: own(raw, 'v'), type: own(raw, 'type'), id: own(raw, 'id') };
  switch (every.type) {
    case 'auth': {
      const { token } = checked(auth, { ...every, token: field('token') });
      return { type: 'auth', id, token };
    }
    case 'subscribe': {
      const asked = { ...every, channel: told, since: field('since'), tail: field('tail') };
      const { channel, since, tail } = checked(subscribe, asked);
      return { type: 'subscribe', id, channel, since, tail };
    }
    case 'unsubscribe': {
      const { channel } = checked(unsubscribe, { ...every, channel: told });
      return { type: 'unsubscribe', id, channel };
    }
    default:
      // Every type but `ping` is refused here.
      checked(fields, every);
      return { type: 'ping', id };
  }
}

function parsed(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new MessageRefused(new HttpRefusal(400, 'The message is not valid JSON.'), undefined, undefined);
  }
  if (!isJsonObject(value))
    throw new MessageRefused(Invalid.at([], 'message must be a JSON object'), undefined, undefined);
  return value;
}

/** Own properties only: `constructor` is not a field of a message. */
function own(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function invalid({ issues }: z.ZodError): Invalid {
  const violations = issues.map((issue) => {
    const name = issue.path.join('.');
    return { path: `/${issue.path.join('/')}`, code: issue.code, message: `${name} ${issue.message}` };
  });
  return new Invalid('validation', violations.map(({ message }) => message).join('; '), violations);
}

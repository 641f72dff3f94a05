import type { Invalid } from '#kernel/errors';
import { MessageRefused, readMessage } from './client-message.js';

const refusal = (text: string): MessageRefused => {
  try {
    readMessage(text);
  } catch (error) {
    return error as MessageRefused;
  }
  throw new Error(`it was accepted: ${text}`);
};

describe('a message of a client', () => {
  it('has its fields beside the type or inside data, and any others as it likes', () => {
    const wanted = { type: 'subscribe', id: 'a', channel: 'services', since: 7, tail: 100 };
    expect(readMessage('{"v":1,"type":"subscribe","id":"a","channel":"services","since":7}')).toEqual(wanted);
    expect(readMessage('{"type":"subscribe","id":"a","data":{"channel":"services","since":7},"x":[1]}')).toEqual(
      wanted,
    );
    expect(readMessage('{"type":"subscribe","channel":"services","since":null,"tail":0}')).toMatchObject({
      since: null,
      tail: 0,
    });
    expect(readMessage('{"type":"auth","data":{"token":"pk_x"}}')).toEqual({ type: 'auth', token: 'pk_x' });
    expect(readMessage('{"type":"ping"}')).toEqual({ type: 'ping' });
    expect(readMessage('{"type":"unsubscribe","channel":"x"}')).toEqual({ type: 'unsubscribe', channel: 'x' });
  });

  it.each([
    ['{"type":"subscribe"}', 'channel must be a string'],
    ['{"type":"subscribe","channel":""}', 'channel must not be empty'],
    ['{"type":"subscribe","channel":"services","since":1.5}', 'since must be a whole number'],
    ['{"type":"subscribe","channel":"services","since":"1"}', 'since must be a whole number'],
    ['{"type":"subscribe","channel":"services","tail":1001}', 'tail must be at most 1000'],
    ['{"type":"subscribe","channel":"services","tail":-1}', 'tail must not be negative'],
    ['{"type":"auth","token":1}', 'token must be a string'],
    ['{"type":"toString"}', 'type must be auth, subscribe, unsubscribe or ping'],
    ['{"v":2,"type":"ping"}', 'v must be 1'],
    ['{"type":"ping","id":7}', 'id must be a string'],
    ['[1]', 'message must be a JSON object'],
    ['{', 'The message is not valid JSON.'],
  ])('is refused with a word on what is wrong: %s', (text, told) => {
    expect(refusal(text).reason.message).toBe(told);
  });

  it('is named as a whole by the empty JSON pointer, and its fields by theirs', () => {
    expect(refusal('[1]').reason).toMatchObject({ violations: [{ path: '' }] });
    expect(refusal('{"type":"subscribe"}').reason).toMatchObject({ violations: [{ path: '/channel' }] });
  });

  it('is refused with everything that is wrong', () => {
    const { reason } = refusal('{"type":"subscribe","id":7,"channel":5,"since":"x","tail":"y"}');
    const paths = (reason as Invalid).violations.map(({ path }) => path);
    expect(paths.sort()).toEqual(['/channel', '/id', '/since', '/tail']);
  });

  it('is answered with its id and channel as far as they can be read', () => {
    const { id, channel } = refusal('{"type":"subscribe","id":"q","channel":"services","tail":-1}');
    expect([id, channel]).toEqual(['q', 'services']);
  });

  it('takes nothing from a prototype', () => {
    expect(refusal('{"__proto__":{"type":"ping"}}').reason.message).toContain('type must be');
    expect(refusal('{"type":"subscribe","data":{"__proto__":{"channel":"services"}}}').reason.message).toBe(
      'channel must be a string',
    );
    expect(({} as { type?: unknown }).type).toBeUndefined();
  });
});

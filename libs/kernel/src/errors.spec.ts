import { Conflict, DomainError, Invalid, NotFound, RateLimited, Unavailable } from './errors.js';

describe('DomainError', () => {
  it('carries its kind, slug and public message under the name of its class', () => {
    const error = new Conflict('pack-exhausted', 'Nothing left.');
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({
      kind: 'conflict',
      slug: 'pack-exhausted',
      message: 'Nothing left.',
      name: 'Conflict',
    });
  });

  it('keeps the cause out of the message', () => {
    const cause = new Error('password authentication failed');
    const error = new Unavailable('database', 'Try again.', { cause });
    expect(error.cause).toBe(cause);
    expect(error.message).toBe('Try again.');
  });

  it('has the same message for everything that does not exist', () => {
    expect(new NotFound().message).toBe(new NotFound({ cause: 'outside the subtree' }).message);
  });

  it('names the invalid field, a nested one by its path', () => {
    const error = Invalid.field('owner.email', 'must not be empty');
    expect(error).toMatchObject({ kind: 'invalid', slug: 'validation', message: 'owner.email must not be empty' });
    expect(error.violations).toEqual([
      { path: '/owner/email', code: 'validation', message: 'owner.email must not be empty' },
    ]);
    expect(Invalid.field('edition', 'is unknown', 'edition-unknown').slug).toBe('edition-unknown');
  });

  it('has an exact JSON pointer, whatever characters the names contain', () => {
    const message = 'variables.a.b/c~d must be a string';
    expect(Invalid.at(['variables', 'a.b/c~d'], message)).toMatchObject({
      message,
      violations: [{ path: '/variables/a.b~1c~0d', code: 'validation', message }],
    });
    expect(Invalid.at([], 'body must be a JSON object').violations).toMatchObject([{ path: '' }]);
  });

  it('states how long to wait', () => {
    expect(new RateLimited(3)).toMatchObject({ kind: 'rate-limited', retryAfterSeconds: 3 });
  });
});

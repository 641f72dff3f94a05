import { Invalid } from '#kernel/errors';
import { SecretText } from '#kernel/crypto/secret-text';

/** A piece of clear text, or the name of a secret of the organisation that stands in its place until deployment. */
export type SecretTemplatePart = { readonly text: SecretText } | { readonly secret: string };

/**
 * A value given in a compose file, which may be a password as it stands or may name secrets of the organisation by
 * `${secret:NAME}`. Like `SecretText` it never prints what it holds.
 */
export class SecretTemplate {
  private constructor(readonly parts: readonly SecretTemplatePart[]) {}

  static of(parts: readonly SecretTemplatePart[]): SecretTemplate {
    return new SecretTemplate([...parts]);
  }

  static literal(text: string): SecretTemplate {
    return new SecretTemplate([{ text: new SecretText(text) }]);
  }

  /** Every secret that must be known before the value can be, each once, in order of appearance. */
  get secretNames(): readonly string[] {
    return [...new Set(this.parts.flatMap((part) => ('secret' in part ? [part.secret] : [])))];
  }

  /** @throws Invalid (`secret_unknown`) for a secret that `secrets` lacks */
  resolve(secrets: ReadonlyMap<string, SecretText>): SecretText {
    const clear = this.parts.map((part) => {
      if ('text' in part) return part.text.reveal();
      const secret = secrets.get(part.secret);
      if (secret === undefined) throw new Invalid('secret_unknown', `The secret ${part.secret} does not exist.`);
      return secret.reveal();
    });
    return new SecretText(clear.join(''));
  }

  toString(): string {
    return '[redacted]';
  }

  toJSON(): string {
    return '[redacted]';
  }
}

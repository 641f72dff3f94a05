import { Invalid } from '#kernel/errors';
import { SecretText } from '#kernel/crypto/secret-text';

/** Clear text, or the name of an organisation's secret that is filled in at deployment. */
export type SecretTemplatePart = { readonly text: SecretText } | { readonly secret: string };

/**
 * A value from a compose file. It may be a password in clear, or refer to secrets of the organisation as
 * `${secret:NAME}`. Like `SecretText`, it never prints its content.
 */
export class SecretTemplate {
  private constructor(readonly parts: readonly SecretTemplatePart[]) {}

  static of(parts: readonly SecretTemplatePart[]): SecretTemplate {
    return new SecretTemplate([...parts]);
  }

  static literal(text: string): SecretTemplate {
    return new SecretTemplate([{ text: new SecretText(text) }]);
  }

  /** The secrets that the value refers to, without duplicates, in order of appearance. */
  get secretNames(): readonly string[] {
    return [...new Set(this.parts.flatMap((part) => ('secret' in part ? [part.secret] : [])))];
  }

  /** @throws Invalid (`secret_unknown`) if `secrets` lacks one of them */
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

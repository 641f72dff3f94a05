import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import { TokenAuthentication, type TokenHolder } from '#libs/tokens';

const BEARER = /^bearer ([^ ]+)$/i;

/** The token in the header; null if there is none. */
export function bearerTokenOf(request: { headers: { authorization?: string } }): string | null {
  return BEARER.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

/** `Authorization: Bearer pcp_…` and nothing else. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly tokens: TokenAuthentication) {
    super();
  }

  /** The library would also accept a token from the query or the body, so it only sees the header. */
  override authenticate(request: { headers: { authorization?: string } }): void {
    const headerOnly = { headers: { authorization: request.headers.authorization } };
    super.authenticate(headerOnly as Parameters<Strategy<never>['authenticate']>[0]);
  }

  async validate(token: string): Promise<TokenHolder | false> {
    return (await this.tokens.authenticate(token)) ?? false;
  }
}

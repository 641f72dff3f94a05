export { TokensModule } from './tokens.module.js';
export { Tokens, type CreatedToken } from './application/tokens.js';
export { TokenAuthentication } from './application/token-authentication.js';
export type { TokenHolder } from './application/ports/token-reader.js';
export { covers, SCOPES, type Scope } from './domain/scope.js';
export type { TokenRecord } from './domain/token-record.js';

import { Module } from '@nestjs/common';
import { PartnersModule } from '#libs/partners';
import { TokenReader } from './application/ports/token-reader.js';
import { TokenRepository } from './application/ports/token-repository.js';
import { TokenUsage } from './application/ports/token-usage.js';
import { TokenAuthentication } from './application/token-authentication.js';
import { Tokens } from './application/tokens.js';
import { BatchedTokenReader } from './infrastructure/batched-token-reader.js';
import { BufferedTokenUsage } from './infrastructure/buffered-token-usage.js';
import { TypeOrmTokenRepository } from './infrastructure/typeorm-token-repository.js';

@Module({
  imports: [PartnersModule],
  providers: [
    Tokens,
    TokenAuthentication,
    { provide: TokenRepository, useClass: TypeOrmTokenRepository },
    { provide: TokenReader, useClass: BatchedTokenReader },
    { provide: TokenUsage, useClass: BufferedTokenUsage },
  ],
  exports: [Tokens, TokenAuthentication],
})
export class TokensModule {}

import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { SCOPES, type CreatedToken, type Scope, type TokenRecord } from '#libs/tokens';
import type { Uuid } from '#kernel/crypto/uuid';
import { IsText } from '#platform/http/validation/text.decorator';
import { ApiTimestamp, ApiUuid } from '#platform/openapi/api-properties';

export class CreateTokenDto {
  @ApiProperty({ minLength: 1, maxLength: 200, description: 'What the token is for.', example: 'billing sync' })
  @IsText({ min: 1, max: 200, trim: true })
  label: string;

  @ApiProperty({ enum: SCOPES, enumName: 'Scope', description: 'What the token may do.', example: 'read' })
  @IsIn(SCOPES, { message: `$property must be one of ${SCOPES.join(', ')}` })
  scope: Scope;
}

export class TokenDto {
  @ApiUuid()
  id: Uuid;

  @ApiUuid()
  partnerId: Uuid;

  @ApiProperty({ example: 'billing sync' })
  label: string;

  @ApiProperty({ description: 'The first 8 characters after `pcp_`.', example: '7Fq2LmXa' })
  tokenPrefix: string;

  @ApiProperty({ enum: SCOPES, enumName: 'Scope', example: 'read' })
  scope: Scope;

  @ApiUuid({ description: 'The token that created this one. For a token created by staff, its own id.' })
  createdBy: Uuid;

  @ApiTimestamp()
  createdAt: Date;

  @ApiTimestamp({
    nullable: true,
    description: 'Last use, to the minute and with a short delay. Null before the first use.',
  })
  lastUsedAt: Date | null;

  @ApiTimestamp({ nullable: true, description: 'Null while the token is valid.', example: null })
  revokedAt: Date | null;

  static from(record: TokenRecord): TokenDto {
    const { id, partnerId, label, tokenPrefix, scope, createdBy, createdAt, lastUsedAt, revokedAt } = record;
    return { id, partnerId, label, tokenPrefix, scope, createdBy, createdAt, lastUsedAt, revokedAt };
  }
}

export class CreatedTokenDto extends TokenDto {
  @ApiProperty({
    description: 'The secret. It is shown in this response only; a lost token must be revoked and replaced.',
    example: 'pcp_7Fq2LmXa0000000000000000000000000000',
  })
  token: string;

  static fromCreated({ record, secret }: CreatedToken): CreatedTokenDto {
    return { ...TokenDto.from(record), token: secret.reveal() };
  }
}

import { ApiProperty } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import { PERMISSIONS, ROLES, type ApiKey, type Permission, type Role, type Scope } from '#libs/panel-auth';

class ApiKeyTermsDto {
  @ApiProperty({ example: 'nightly deploy' })
  name: string;

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'Null means every permission of the role.',
    example: ['services:*'],
  })
  scopes: readonly Scope[] | null;

  @ApiProperty({ enum: ROLES, enumName: 'Role', example: 'customer' })
  role: Role;

  @ApiProperty({ enum: PERMISSIONS, enumName: 'Permission', isArray: true, example: ['services:delete'] })
  permissionsDeny: readonly Permission[];

  @ApiProperty({ type: 'integer', minimum: 1, example: 60 })
  rateLimitRpm: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  expiresAt: Date | null;

  @ApiProperty({ example: false })
  isServiceAccount: boolean;

  @ApiProperty({ type: String, nullable: true, example: null })
  description: string | null;
}

export class ApiKeyMetadataDto extends ApiKeyTermsDto {
  @ApiProperty({
    type: String,
    format: 'uuid',
    required: false,
    description: 'For customer callers: the organisation that the key is bound to.',
    example: '9f3a2c44-8d0e-4e1c-9b9f-0a5f0d3d7c21',
  })
  orgId?: Uuid;

  static of(key: ApiKey, callerRole: Role): ApiKeyMetadataDto {
    const orgId = callerRole === 'customer' && key.organisationId ? { orgId: key.organisationId } : {};
    return { ...termsOf(key), ...orgId };
  }
}

export class CreatedApiKeyDto {
  @ApiProperty({ description: 'The full key. It is shown in this response only.', example: 'pk_7Fq2LmXa_…' })
  key: string;

  @ApiProperty({ type: ApiKeyMetadataDto })
  metadata: ApiKeyMetadataDto;
}

export class ApiKeyDto extends ApiKeyTermsDto {
  @ApiProperty({ type: String, format: 'uuid', example: '0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52' })
  id: Uuid;

  @ApiProperty({ description: 'The first 11 characters of the key.', example: 'pk_7Fq2LmXa' })
  prefix: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' })
  createdAt: Date;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Up to 10 s late.', example: null })
  lastUsedAt: Date | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Null while the key is valid.',
    example: null,
  })
  revokedAt: Date | null;

  static of(key: ApiKey): ApiKeyDto {
    const { id, prefix, createdAt, lastUsedAt, revokedAt } = key;
    return { id, prefix, ...termsOf(key), createdAt, lastUsedAt, revokedAt };
  }
}

export class ApiKeyListDto {
  @ApiProperty({ type: [ApiKeyDto] })
  keys: ApiKeyDto[];
}

function termsOf(key: ApiKey): ApiKeyTermsDto {
  const { name, scopes, role, permissionsDeny, rateLimitRpm, expiresAt, isServiceAccount, description } = key;
  return { name, scopes, role, permissionsDeny, rateLimitRpm, expiresAt, isServiceAccount, description };
}

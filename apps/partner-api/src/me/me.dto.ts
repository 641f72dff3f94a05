import { ApiProperty } from '@nestjs/swagger';
import { SCOPES, type Scope } from '#libs/tokens';
import type { Uuid } from '#kernel/crypto/uuid';
import { ApiUuid } from '#platform/openapi/api-properties';

export class MeDto {
  @ApiUuid({ description: 'The calling partner.' })
  partnerId: Uuid;

  @ApiProperty({ description: 'Name of the partner.', example: 'Northwind Hosting' })
  name: string;

  @ApiProperty({
    description: '`distributor`, `reseller` or `hoster`; clients must accept values that are added later.',
    example: 'reseller',
  })
  type: string;

  @ApiProperty({ enum: SCOPES, enumName: 'Scope', description: 'Scope of the calling token.', example: 'write' })
  scope: Scope;
}

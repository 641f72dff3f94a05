import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { Uuid } from '#kernel/crypto/uuid';
import type { ListedOrganisation } from '#libs/panel-auth';
import { IsText } from '#platform/http/validation/text.decorator';
import { IsId } from '#platform/http/validation/uuid.decorator';
import { PaginationDto } from '../http/list-page.js';
import { QuotaLimitsDto, UsageDto } from './quota.dto.js';

const ID = { type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };
const MAX_NAME_LENGTH = 200;

export class CreateOrganisationDto {
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME_LENGTH, example: 'Harbour Books' })
  @IsText({ min: 1, max: MAX_NAME_LENGTH, trim: true })
  name: string;

  @ApiProperty({
    ...ID,
    nullable: true,
    required: false,
    description: 'The organisation above it. Without one it is a top-level organisation; a bound key must name one.',
  })
  @IsOptional()
  @IsId()
  parentId?: Uuid | null;
}

export class OrganisationDto {
  @ApiProperty(ID)
  id: Uuid;

  @ApiProperty({ maxLength: MAX_NAME_LENGTH, example: 'Harbour Books' })
  name: string;

  @ApiProperty({ ...ID, nullable: true, description: 'The organisation above it. Null at the top.' })
  parentId: Uuid | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    example: 3,
    description: 'People who belong to it directly, not through an organisation above.',
  })
  members: number;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' })
  createdAt: Date;

  static of({ id, name, parentId, members, createdAt }: ListedOrganisation): OrganisationDto {
    return { id, name, parentId, members, createdAt };
  }
}

export class OrganisationDetailDto extends OrganisationDto {
  @ApiProperty({ type: QuotaLimitsDto, description: 'The limits of the organisation itself.' })
  own: QuotaLimitsDto;

  @ApiProperty({ type: UsageDto, description: 'Its effective limits and current use.' })
  quota: UsageDto;
}

export class OrganisationPageDto {
  @ApiProperty({ type: [OrganisationDto], maxItems: 100 })
  data: OrganisationDto[];

  @ApiProperty({ type: PaginationDto })
  pagination: PaginationDto;
}

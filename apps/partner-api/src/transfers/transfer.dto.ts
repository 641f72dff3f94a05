import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import {
  assertNotInFuture,
  METADATA_SYNC_STATES,
  type MetadataSync,
  type TransferFilter,
  type TransferView,
} from '#libs/licensing';
import { BillingDate } from '#kernel/time/calendar-date';
import { parseMoment } from '#kernel/time/instant';
import type { Uuid } from '#kernel/crypto/uuid';
import { IsText, MayBeAbsent } from '#platform/http/validation/text.decorator';
import { IsId } from '#platform/http/validation/uuid.decorator';
import { IsBound, IsMoment } from '../http/instants.js';
import { PageQuery } from '../http/page.js';

export class CreateTransferDto {
  @ApiProperty({ type: String, format: 'uuid', example: '9c5b94b1-35ad-49bb-b118-8e8fc24abf80' })
  @IsId()
  licenseId: Uuid;

  @ApiProperty({ type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' })
  @IsId()
  toPartnerId: Uuid;

  @ApiProperty({
    type: String,
    format: 'uuid',
    description: 'A customer of `toPartnerId`.',
    example: '0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52',
  })
  @IsId()
  toCustomerId: Uuid;

  @ApiProperty({
    type: String,
    format: 'uuid',
    description: 'A contract of `toPartnerId`.',
    example: '3d1c2b4a-6a1f-4f0e-9d54-7b8f2f1f6a10',
  })
  @IsId()
  toContractId: Uuid;

  @ApiPropertyOptional({
    maxLength: 1000,
    default: '',
    description: 'The reason, as free text.',
    example: 'customer moved',
  })
  @MayBeAbsent()
  @IsText({ max: 1000 })
  reason?: string;

  @ApiPropertyOptional({
    type: String,
    description:
      'RFC 3339. Its UTC day is the first day of the new owner. Defaults to today; must not be in the future.',
    example: '2026-05-01T01:30:00+02:00',
  })
  @MayBeAbsent()
  @IsMoment()
  effectiveDate?: string;

  /** @throws Invalid for a day in the future; the rule about timestamps reports anything that is not a day */
  static check({ effectiveDate }: Readonly<Record<string, unknown>>, now: Date): void {
    if (typeof effectiveDate !== 'string' || !parseMoment(effectiveDate)) return;
    assertNotInFuture(effectiveDate, BillingDate.of(now));
  }
}

const ONE_END = "Null if this side is outside the caller's subtree.";

export class TransferDto {
  @ApiProperty({ type: String, format: 'uuid', example: 'b5c7d9e1-2f3a-4b5c-8d7e-9f0a1b2c3d4e' })
  id: Uuid;

  @ApiProperty({ description: 'Short identifier for people. Never changes; not accepted as input.', example: 'T-7' })
  humanId: string;

  @ApiProperty({ type: String, format: 'uuid', example: '9c5b94b1-35ad-49bb-b118-8e8fc24abf80' })
  licenseId: Uuid;

  @ApiProperty({ example: 'L-42' })
  licenseHumanId: string;

  @ApiProperty({ type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' })
  fromPartnerId: Uuid;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: ONE_END, example: null })
  fromCustomerId: Uuid | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: ONE_END, example: null })
  fromContractId: Uuid | null;

  @ApiProperty({ type: String, format: 'uuid', example: '7a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d' })
  toPartnerId: Uuid;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: ONE_END, example: null })
  toCustomerId: Uuid | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: ONE_END, example: null })
  toContractId: Uuid | null;

  @ApiProperty({ example: 'customer moved' })
  reason: string;

  @ApiProperty({ type: String, format: 'date', description: 'First day of the new owner.', example: '2026-04-30' })
  effectiveDate: string;

  @ApiProperty({ enum: ['completed'], description: 'Always `completed`.', example: 'completed' })
  status: 'completed';

  @ApiProperty({
    enum: METADATA_SYNC_STATES,
    enumName: 'MetadataSync',
    description: 'Whether the license service knows the new owner. It is notified after the transfer.',
    example: 'pending',
  })
  metadataSync: MetadataSync;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The token that made the transfer; null for the system.',
    example: '9f3a2c44-8d0e-4e1c-9b9f-0a5f0d3d7c21',
  })
  createdBy: Uuid | null;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' })
  createdAt: Date;

  static from(view: TransferView): TransferDto {
    return {
      id: view.id,
      humanId: view.humanId,
      licenseId: view.licenseId,
      licenseHumanId: view.licenseHumanId,
      fromPartnerId: view.fromPartnerId,
      fromCustomerId: view.fromCustomerId,
      fromContractId: view.fromContractId,
      toPartnerId: view.toPartnerId,
      toCustomerId: view.toCustomerId,
      toContractId: view.toContractId,
      reason: view.reason,
      effectiveDate: view.effectiveDate.toString(),
      status: view.status,
      metadataSync: view.metadataSync,
      createdBy: view.createdBy,
      createdAt: view.createdAt,
    };
  }
}

const DIRECTIONS = ['in', 'out'] as const;

export class TransferListQuery extends PageQuery {
  @ApiPropertyOptional({ type: String, format: 'uuid', description: 'Only transfers of this license.' })
  @MayBeAbsent()
  @IsId()
  licenseId?: Uuid;

  @ApiPropertyOptional({
    enum: DIRECTIONS,
    description: '`in`: the new owner is in the subtree. `out`: the old owner is.',
  })
  @MayBeAbsent()
  @IsIn(DIRECTIONS, { message: `$property must be one of ${DIRECTIONS.join(', ')}` })
  direction?: (typeof DIRECTIONS)[number];

  @ApiPropertyOptional({ type: String, description: 'Created at this time or later. A date or a timestamp.' })
  @MayBeAbsent()
  @IsBound('from')
  from?: Date;

  @ApiPropertyOptional({ type: String, description: 'Created at this time or earlier. A date includes its whole day.' })
  @MayBeAbsent()
  @IsBound('to')
  to?: Date;
}

export function filterOf({ licenseId, direction, from, to }: TransferListQuery): TransferFilter {
  return { licenseId, direction, from, to };
}

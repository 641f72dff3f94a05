import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PRICING_MODELS } from '#libs/billing';
import type { Uuid } from '#kernel/crypto/uuid';
import { ApiTimestamp, ApiUuid } from '#platform/openapi/api-properties';

const cents = (description: string, example: number) =>
  ApiProperty({ type: 'integer', format: 'int64', description, example });
const count = (description: string, example: number) => ApiProperty({ type: 'integer', description, example });

export class TotalDto {
  @ApiProperty({ description: 'ISO 4217.', example: 'EUR' })
  currency: string;

  @cents('In the minor unit of the currency.', 451)
  amountCents: number;
}

export class PartDto {
  @ApiUuid({ example: '9c5b94b1-35ad-49bb-b118-8e8fc24abf80' })
  licenseId: Uuid;

  @ApiProperty({ description: 'An ellipsis and the last 6 characters of the key.', example: '…9F4C21' })
  keyMasked: string;

  @count('Billable days of the month, first and last included.', 15)
  days: number;

  @cents('Unit price x days / days of the month, rounded to the nearest cent, halves up.', 451)
  amountCents: number;
}

export class PackDto {
  @count('Total number of licenses that can be drawn.', 100)
  size: number;

  @count('Drawn up to the end of the period; a drawn slot is never given back.', 42)
  drawn: number;

  @count('Drawn within the period.', 5)
  drawnInPeriod: number;

  @count('Never below 0.', 58)
  remaining: number;
}

export class LineDto {
  @ApiUuid({ example: '3d1c2b4a-6a1f-4f0e-9d54-7b8f2f1f6a10' })
  contractId: Uuid;

  @ApiProperty({
    enum: PRICING_MODELS,
    enumName: 'PricingModel',
    description: 'How the contract is priced.',
    example: 'per_instance_metered',
  })
  model: string;

  @ApiProperty({ description: 'ISO 4217.', example: 'EUR' })
  currency: string;

  @count('Licenses billed or counted; 1 for a flat fee; licenses drawn for a pack.', 1)
  quantity: number;

  @cents('Monthly price of a license, or monthly fee of a flat contract.', 901)
  unitPriceCents: number;

  @cents('The sum of the rounded parts; 0 for packs, trials and licenses not for resale.', 451)
  amountCents: number;

  @ApiPropertyOptional({ type: PackDto, description: 'On the line of a prepaid pack only.' })
  pack?: PackDto;

  @ApiProperty({ type: [PartDto], description: 'Sorted by license id. Empty on lines that are not metered.' })
  detail: PartDto[];
}

export class BilledPeriodDto {
  @ApiProperty({ type: String, format: 'date', description: 'First day of the month, in UTC.', example: '2026-06-01' })
  periodStart: string;

  @ApiProperty({
    type: String,
    format: 'date',
    description: 'Last day of the month, inclusive.',
    example: '2026-06-30',
  })
  periodEnd: string;
}

export class UsageDto extends BilledPeriodDto {
  @ApiTimestamp({
    nullable: true,
    description: 'Days up to this UTC date are counted. Null before the month is first computed.',
    example: '2026-06-15T01:00:00.000Z',
  })
  computedAt: Date | null;

  @ApiProperty({ type: [TotalDto], description: 'One total per currency, sorted by code.' })
  totals: TotalDto[];

  @ApiProperty({ type: [LineDto], description: 'Sorted by contract id.' })
  lines: LineDto[];
}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { LEDGER_EVENT_TYPES } from '#libs/licensing';
import { PRICING_MODELS } from '#libs/billing';
import type { Uuid } from '#kernel/crypto/uuid';
import { ApiUuid } from '#platform/openapi/api-properties';
import { StatementSummaryDto } from './statement.dto.js';
import { PackDto } from './usage.dto.js';

const hash = (description: string) =>
  ApiProperty({ type: String, pattern: '^[0-9a-f]{64}$', description, example: 'b5'.repeat(32) });
const date = (description: string, example: string) =>
  ApiProperty({ type: String, format: 'date', description, example });
const count = (description: string, example: number) => ApiProperty({ type: 'integer', description, example });
const fraction = (description: string) =>
  ApiProperty({ type: String, pattern: '^\\d+/\\d+$', description, example: '901/2' });

export class LedgerLinkDto {
  @count("Position in the license's ledger, from 1.", 1)
  position: number;

  @hash('Hash of the previous event; zeros for the first.')
  previousHash: string;

  @hash(
    'SHA-256 of the JSON array [previousHash, licenseId, position, event, at, actor, customerId, data as sorted pairs].',
  )
  hash: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Present, with the fields below, on events that affect billed days.',
    example: 17,
  })
  id?: number;

  @ApiPropertyOptional({ enum: LEDGER_EVENT_TYPES, description: 'What happened.', example: 'license.issued' })
  event?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'In UTC, with six decimals.',
    example: '2026-06-16T08:30:00.000000Z',
  })
  at?: string;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'Who did it; null for the system.', example: null })
  actor?: string | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The customer at that time.',
    example: null,
  })
  customerId?: Uuid | null;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true, description: 'Depends on the event.' })
  data?: Record<string, unknown>;
}

export class ProvenPartDto {
  @ApiUuid()
  licenseId: Uuid;

  @ApiProperty({ description: 'As printed on the statement.', example: '…9F4C21' })
  keyMasked: string;

  @count('Billable days of the month, first and last included.', 15)
  days: number;

  @fraction('The amount before rounding, in cents, reduced.')
  exact: string;

  @count('The amount after rounding.', 451)
  amountCents: number;

  @ApiProperty({
    type: [Number],
    description:
      'Ledger events behind the days: the event that began each period of ownership, and the one that ended it within the month.',
    example: [17, 42],
  })
  eventIds: number[];

  @ApiProperty({
    type: [LedgerLinkDto],
    description: 'The chain of the license up to the last of these events. Other events show only their hashes.',
  })
  ledger: LedgerLinkDto[];
}

export class ProvenLineDto {
  @ApiUuid()
  contractId: Uuid;

  @ApiProperty({ enum: PRICING_MODELS, enumName: 'PricingModel', description: 'How the contract is priced.' })
  model: string;

  @ApiProperty({ description: 'ISO 4217.', example: 'EUR' })
  currency: string;

  @count('Monthly price or fee.', 901)
  unitPriceCents: number;

  @date('First valid day of the contract.', '2026-01-01')
  validFrom: string;

  @ApiProperty({ type: String, format: 'date', nullable: true, description: 'Last valid day.', example: null })
  validTo: string | null;

  @count('As printed on the statement.', 1)
  quantity: number;

  @count('Days by which the price is multiplied, over all licenses; 0 on lines that are not billed by day.', 15)
  billedDays: number;

  @fraction('The line before rounding: the sum of its exact parts.')
  exact: string;

  @count('The sum of the rounded parts.', 451)
  amountCents: number;

  @ApiPropertyOptional({ type: PackDto, description: 'On the line of a prepaid pack only.' })
  pack?: PackDto;

  @ApiProperty({ type: [ProvenPartDto], description: 'Sorted by license id. Empty on lines that are not metered.' })
  parts: ProvenPartDto[];
}

export class ProvenFilesDto {
  @hash('SHA-256 of the CSV export.')
  csv: string;

  @hash("SHA-256 of the JSON export, with the statement's current status.")
  json: string;
}

export class StatementHeadDto extends StatementSummaryDto {
  @ApiUuid()
  partnerId: Uuid;
}

export class StatementProofDto {
  @ApiProperty({ type: StatementHeadDto, description: 'The statement without its lines.' })
  statement: StatementHeadDto;

  @count('28 to 31.', 30)
  daysInMonth: number;

  @hash('Hash of what was reviewed: days, quantities, prices and amounts.')
  figuresHash: string;

  @ApiProperty({ type: ProvenFilesDto, description: 'Fixed when the statement was finalized.' })
  files: ProvenFilesDto;

  @ApiProperty({ type: [ProvenLineDto], description: 'Sorted by contract id.' })
  lines: ProvenLineDto[];

  @hash('SHA-256 of everything before this member in the document.')
  sha256: string;
}

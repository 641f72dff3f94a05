import { ApiProperty } from '@nestjs/swagger';
import { PRICING_MODELS, type BillingContract, type PricingModel } from '#libs/billing';
import type { Uuid } from '#kernel/crypto/uuid';

export class ContractDto {
  @ApiProperty({ type: String, format: 'uuid', example: '3d1c2b4a-6a1f-4f0e-9d54-7b8f2f1f6a10' })
  id: Uuid;

  @ApiProperty({ type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' })
  partnerId: Uuid;

  @ApiProperty({ description: 'Reference of the signed contract.', example: 'Agreement 2026/17' })
  reference: string;

  @ApiProperty({ enum: PRICING_MODELS, enumName: 'PricingModel', example: 'per_instance_metered' })
  model: PricingModel;

  @ApiProperty({ description: 'ISO 4217.', example: 'EUR' })
  currency: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'Monthly price of one license, or the monthly fee of a flat contract.',
    example: 1000,
  })
  unitPriceCents: number;

  @ApiProperty({ type: String, format: 'date', description: 'First valid day.', example: '2026-01-01' })
  validFrom: string;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'Last valid day, inclusive. Null when no end is agreed.',
    example: null,
  })
  validTo: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Maximum number of live licenses on a `flat_capped` contract.',
    example: null,
  })
  licenseCap: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Total number of licenses in a `prepaid_pack`.',
    example: null,
  })
  packSize: number | null;

  @ApiProperty({ type: [String], description: 'Editions that may be issued; empty allows all.', example: [] })
  editions: string[];

  @ApiProperty({ type: String, format: 'date-time', example: '2026-01-01T09:00:00.000Z' })
  createdAt: Date;

  static from({ state }: BillingContract): ContractDto {
    return {
      id: state.id,
      partnerId: state.partnerId,
      reference: state.reference,
      model: state.model,
      currency: state.currency,
      unitPriceCents: state.unitPriceCents,
      validFrom: state.validFrom.toString(),
      validTo: state.validTo?.toString() ?? null,
      licenseCap: state.licenseCap,
      packSize: state.packSize,
      editions: [...state.editions],
      createdAt: state.createdAt,
    };
  }
}

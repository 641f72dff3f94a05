import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { LICENSE_STATES, type IssuedLicense, type LicenseState, type LicenseView } from '#libs/licensing';
import type { Uuid } from '#kernel/crypto/uuid';
import { IsText, MayBeAbsent } from '#platform/http/validation/text.decorator';
import { IsId } from '#platform/http/validation/uuid.decorator';

/** Maximum number of characters of an edition; longer texts are not looked up. */
export const EDITION_LENGTH = 100;

export class IssueLicenseDto {
  @ApiProperty({ type: String, format: 'uuid', example: '0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52' })
  @IsId()
  customerId: Uuid;

  @ApiProperty({
    type: String,
    format: 'uuid',
    description: 'Must belong to the same partner as the customer.',
    example: '3d1c2b4a-6a1f-4f0e-9d54-7b8f2f1f6a10',
  })
  @IsId()
  contractId: Uuid;

  @ApiProperty({ maxLength: EDITION_LENGTH, description: 'One of the editions on sale.', example: 'web-host' })
  @IsText({ max: EDITION_LENGTH })
  edition: string;

  @ApiPropertyOptional({ maxLength: 500, default: '', description: 'Your own reference.', example: 'order-1001' })
  @MayBeAbsent()
  @IsText({ max: 500 })
  externalBillingRef?: string;
}

export class ChangeEditionDto {
  @ApiProperty({ maxLength: EDITION_LENGTH, description: 'One of the editions on sale.', example: 'web-pro' })
  @IsText({ max: EDITION_LENGTH })
  edition: string;
}

export class LicenseDto {
  @ApiProperty({ type: String, format: 'uuid', example: '9c5b94b1-35ad-49bb-b118-8e8fc24abf80' })
  id: Uuid;

  @ApiProperty({ description: 'Short identifier for people. Never changes; not accepted as input.', example: 'L-42' })
  humanId: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    description: 'The owning partner.',
    example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11',
  })
  partnerId: Uuid;

  @ApiProperty({ type: String, format: 'uuid', example: '0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52' })
  customerId: Uuid;

  @ApiProperty({ type: String, format: 'uuid', example: '3d1c2b4a-6a1f-4f0e-9d54-7b8f2f1f6a10' })
  contractId: Uuid;

  @ApiProperty({
    type: String,
    format: 'uuid',
    description: 'Id of the license at the license service.',
    example: 'f3b7a1de-6d6c-4f5b-8f5e-2f0c9a7b1c33',
  })
  upstreamLicenseId: Uuid;

  @ApiProperty({ description: 'An ellipsis and the last 6 characters of the key.', example: '…9F3K2A' })
  keyMasked: string;

  @ApiProperty({ description: 'Clients must accept editions that are added later.', example: 'web-host' })
  edition: string;

  @ApiProperty({ enum: LICENSE_STATES, enumName: 'LicenseState', example: 'active' })
  state: LicenseState;

  @ApiProperty({ description: 'Your own reference; may be empty.', example: 'order-1001' })
  externalBillingRef: string;

  @ApiProperty({ description: 'Empty unless set otherwise.', example: '' })
  metadata: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' })
  issuedAt: Date;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  terminatedAt: Date | null;

  static from(license: LicenseView): LicenseDto {
    return { ...license };
  }
}

export class IssuedLicenseDto {
  @ApiProperty({ type: LicenseDto })
  license: LicenseDto;

  @ApiProperty({
    description: 'The full key. It is shown in this response only and cannot be read again.',
    example: 'K7QF-2MXA-9D4T-PLV8-9F3K2A',
  })
  key: string;

  static from({ license, key }: IssuedLicense): IssuedLicenseDto {
    return { license: LicenseDto.from(license), key: key.reveal() };
  }
}

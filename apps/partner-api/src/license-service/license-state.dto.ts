import { ApiSchema, ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { STATE_CODES, type PublicJwk, type SignedLicenseState, type StateCode } from '#libs/licensing';

export class ValidateKeyDto {
  @ApiProperty({
    description: 'The license key. Case, spaces and dashes are ignored. Any other string is an unknown key.',
    example: '7Q2XYZ-0A1B2C-3D4E5F-6G7H8J-9K0MNP',
  })
  @IsString({ message: '$property must be a string' })
  key: string;
}

@ApiSchema({ name: 'LicenseValidation' })
export class LicenseStateDto {
  @ApiProperty({ description: 'True when the code is `VALID`.', example: true })
  valid: boolean;

  @ApiProperty({
    enum: STATE_CODES,
    enumName: 'LicenseStateCode',
    description: 'Revoked, mistyped and unknown keys are all `NOT_FOUND`.',
    example: 'VALID',
  })
  code: StateCode;

  @ApiProperty({ type: String, nullable: true, description: 'Null when the key is not found.', example: 'web-host' })
  edition: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the license expires; null if never.',
    example: null,
  })
  expiresAt: Date | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When this state was read.',
    example: '2026-05-01T08:30:00.000Z',
  })
  issuedAt: Date;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'How long the document may be trusted while the service cannot be reached.',
    example: '2026-05-02T08:30:00.000Z',
  })
  validUntil: Date;

  @ApiProperty({
    description: 'SHA-256, in hexadecimal, of the key as the service writes it.',
    example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  })
  keyHash: string;

  @ApiProperty({
    description:
      'The same state, signed: a compact JWS (EdDSA over Ed25519). Its `kid` names one of the keys of ' +
      '`GET /license-service/v1/keys`.',
    example: 'eyJhbGciOiJFZERTQSJ9.eyJjb2RlIjoiVkFMSUQifQ.c2lnbmF0dXJl',
  })
  document: string;

  static from(state: SignedLicenseState): LicenseStateDto {
    const { code, edition, expiresAt, issuedAt, validUntil, keyHash, document } = state;
    return { valid: code === 'VALID', code, edition, expiresAt, issuedAt, validUntil, keyHash, document };
  }
}

export class PublicJwkDto implements PublicJwk {
  @ApiProperty({ enum: ['OKP'], example: 'OKP' })
  kty: 'OKP';

  @ApiProperty({ enum: ['Ed25519'], example: 'Ed25519' })
  crv: 'Ed25519';

  @ApiProperty({ enum: ['EdDSA'], example: 'EdDSA' })
  alg: 'EdDSA';

  @ApiProperty({ enum: ['sig'], example: 'sig' })
  use: 'sig';

  @ApiProperty({ type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' })
  kid: PublicJwk['kid'];

  @ApiProperty({ description: 'The public key, base64url.', example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' })
  x: string;
}

export class JwkSetDto {
  @ApiProperty({ type: [PublicJwkDto], description: 'Newest first.' })
  keys: PublicJwkDto[];
}

import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import type { Uuid } from '#kernel/crypto/uuid';
import { Invalid } from '#kernel/errors';
import {
  DOMAIN_STATUSES,
  TLS_MODES,
  VERIFICATION_METHODS,
  type DomainChange,
  type DomainStatus,
  type ServiceDomain,
  type TlsMode,
} from '#libs/services';
import { IsText } from '#platform/http/validation/text.decorator';

const ID = { type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };
const TIME = { type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' };
const TLS = {
  enum: TLS_MODES,
  enumName: 'DomainTls',
  description:
    "`automatic`: a certificate from this installation's certificate authority; `internal`: one from the " +
    'ingress itself; `off`: plain HTTP.',
};
const TARGET_SERVICE = {
  minLength: 1,
  maxLength: 200,
  description: 'The compose service that receives the requests.',
  example: 'web',
};
const TARGET_PORT = {
  type: 'integer' as const,
  minimum: 1,
  maximum: 65_535,
  description: 'The port that the compose service listens on.',
  example: 8080,
};

class DomainFieldsDto {
  @ApiProperty({ ...TARGET_SERVICE, required: false })
  @IsOptional()
  @IsText({ min: 1, max: 200 })
  targetService?: string;

  @ApiProperty({ ...TARGET_PORT, required: false })
  @IsOptional()
  @Min(1)
  @Max(65_535)
  @IsInt({ message: '$property must be a whole number' })
  targetPort?: number;

  @ApiProperty({
    type: Boolean,
    required: false,
    description:
      "Whether to make this the primary domain, which the service's `url` uses. It replaces the previous " + 'one.',
    example: true,
  })
  @IsOptional()
  @IsBoolean()
  isPrimary?: boolean;

  @ApiProperty({ ...TLS, required: false, example: 'automatic' })
  @IsOptional()
  @IsIn(TLS_MODES)
  tls?: TlsMode;

  /** Null means the same as omitting a field. */
  static of({ targetService, targetPort, isPrimary, tls }: DomainFieldsDto): DomainChange {
    return {
      ...(targetService == null ? {} : { targetService }),
      ...(targetPort == null ? {} : { targetPort }),
      ...(isPrimary == null ? {} : { isPrimary }),
      ...(tls == null ? {} : { tls }),
    };
  }
}

export class ChangeDomainDto extends DomainFieldsDto {
  /** @throws Invalid if a host is given, because ignoring it silently would mislead the caller */
  static check({ host }: Readonly<Record<string, unknown>>): void {
    if (host !== undefined) throw Invalid.field('host', 'cannot be changed: add another domain');
  }
}

export class AddDomainDto extends DomainFieldsDto {
  @ApiProperty({
    minLength: 1,
    maxLength: 300,
    description:
      'A host name with at least two labels. International names are stored in ASCII form, in lower case; ' +
      'wildcards, addresses and ports are refused.',
    example: 'shop.example.com',
  })
  @IsText({ min: 1, max: 300 })
  host: string;
}

class VerificationDto {
  @ApiProperty({
    enum: VERIFICATION_METHODS,
    enumName: 'VerificationMethod',
    description: "By a DNS TXT record, or because the host is under this installation's base domain.",
    example: 'dns_txt',
  })
  method: ServiceDomain['verification']['method'];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Name of the TXT record to create.',
    example: '_panel-challenge.shop.example.com',
  })
  record: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Content of the TXT record.',
    example: 'panel-verification=qJ3p0bq7yQm1mX5q0b2n8s6t4u2v0w8x6y4z2a0b1c8',
  })
  value: string | null;

  @ApiProperty({ ...TIME, nullable: true })
  checkedAt: Date | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the domain is not active, according to the last check.',
    example: 'There is no TXT record _panel-challenge.shop.example.com.',
  })
  errorMessage: string | null;
}

export class DomainDto {
  @ApiProperty(ID)
  id: Uuid;

  @ApiProperty(ID)
  serviceId: Uuid;

  @ApiProperty({ description: 'In lower case and ASCII.', example: 'shop.example.com' })
  host: string;

  @ApiProperty({ description: TARGET_SERVICE.description, example: 'web' })
  targetService: string;

  @ApiProperty({ type: 'integer', description: TARGET_PORT.description, example: 8080 })
  targetPort: number;

  @ApiProperty({ description: "Whether the service's `url` uses this domain, while it is active.", example: true })
  isPrimary: boolean;

  @ApiProperty({ ...TLS, example: 'automatic' })
  tls: TlsMode;

  @ApiProperty({
    enum: DOMAIN_STATUSES,
    enumName: 'DomainStatus',
    description:
      '`pending` until the host is verified, and while no ingress is configured. A host that is not ' +
      'verified within 7 days is `failed`, and anybody may claim it.',
    example: 'active',
  })
  status: DomainStatus;

  @ApiProperty({ type: VerificationDto })
  verification: VerificationDto;

  @ApiProperty({ ...TIME, nullable: true })
  verifiedAt: Date | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'Null until the certificate has been seen.' })
  certificateExpiresAt: Date | null;

  @ApiProperty(TIME)
  createdAt: Date;

  static of(domain: ServiceDomain): DomainDto {
    const { id, serviceId, host, targetService, targetPort, isPrimary, tls, status, verification } = domain;
    const { verifiedAt, certificateExpiresAt, createdAt } = domain;
    const place = { id, serviceId, host, targetService, targetPort, isPrimary, tls };
    return { ...place, status, verification, verifiedAt, certificateExpiresAt, createdAt };
  }
}

export class DomainListDto {
  @ApiProperty({ type: [DomainDto] })
  data: DomainDto[];
}

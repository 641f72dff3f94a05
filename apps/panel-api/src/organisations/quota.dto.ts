import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsNumber, Max, Min, ValidateIf } from 'class-validator';
import type { Uuid } from '#kernel/crypto/uuid';
import { MAX_LIMITS, type QuotaKind, type QuotaLimits, type QuotaStanding } from '#libs/services';

/** A limit, or null for none. The field itself is required. */
function Limit(kind: QuotaKind, example: number | null): PropertyDecorator {
  const isWhole = kind !== 'cpuCores';
  const highest = MAX_LIMITS[kind];
  // The order matters: the type is checked before the range.
  return applyDecorators(
    ApiProperty({
      type: isWhole ? 'integer' : 'number',
      nullable: true,
      minimum: 0,
      maximum: highest,
      example,
      description: 'Null means no limit.',
    }),
    ValidateIf((_object, value) => value !== null),
    isWhole
      ? IsInt({ message: '$property must be a whole number or null' })
      : IsNumber({ allowNaN: false, allowInfinity: false }, { message: '$property must be a number or null' }),
    Max(highest),
    Min(0),
  );
}

export class QuotaLimitsDto implements QuotaLimits {
  @Limit('services', 10)
  services: number | null;

  @Limit('cpuCores', 8)
  cpuCores: number | null;

  @Limit('memoryMb', 16_384)
  memoryMb: number | null;

  @Limit('diskMb', null)
  diskMb: number | null;

  static of({ services, cpuCores, memoryMb, diskMb }: QuotaLimits): QuotaLimitsDto {
    return { services, cpuCores, memoryMb, diskMb };
  }
}

class QuotaUseDto {
  @ApiProperty({ type: 'integer', minimum: 0, example: 3 })
  services: number;

  @ApiProperty({ minimum: 0, example: 2.5 })
  cpuCores: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 1536 })
  memoryMb: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 15_360 })
  diskMb: number;
}

export class UsageDto {
  @ApiProperty({
    type: QuotaLimitsDto,
    description: 'The lowest limit of the organisation and of those above it.',
  })
  limits: QuotaLimitsDto;

  @ApiProperty({ type: QuotaUseDto, description: 'Used by the organisation and those below it.' })
  used: QuotaUseDto;

  static of({ limits, used }: QuotaStanding): UsageDto {
    const { services, cpuCores, memoryMb, diskMb } = used;
    return { limits: QuotaLimitsDto.of(limits), used: { services, cpuCores, memoryMb, diskMb } };
  }
}

export class OrganisationQuotaDto extends UsageDto {
  @ApiProperty({ type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' })
  organisationId: Uuid;

  @ApiProperty({ type: QuotaLimitsDto, description: 'The limits of the organisation itself.' })
  own: QuotaLimitsDto;
}

import { ApiProperty } from '@nestjs/swagger';
import type { QuotaLimits, QuotaStanding } from '#libs/services';

export class QuotaLimitsDto implements QuotaLimits {
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true, description: 'Null: no limit.', example: 10 })
  services: number | null;

  @ApiProperty({ type: Number, minimum: 0, nullable: true, description: 'Null: no limit.', example: 8 })
  cpuCores: number | null;

  @ApiProperty({ type: 'integer', minimum: 0, nullable: true, description: 'Null: no limit.', example: 16_384 })
  memoryMb: number | null;

  @ApiProperty({ type: 'integer', minimum: 0, nullable: true, description: 'Null: no limit.', example: null })
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
  @ApiProperty({ type: QuotaLimitsDto })
  limits: QuotaLimitsDto;

  @ApiProperty({ type: QuotaUseDto })
  used: QuotaUseDto;

  static of({ limits, used }: QuotaStanding): UsageDto {
    const { services, cpuCores, memoryMb, diskMb } = used;
    return { limits: QuotaLimitsDto.of(limits), used: { services, cpuCores, memoryMb, diskMb } };
  }
}

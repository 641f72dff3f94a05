import { ApiProperty, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsNumber, IsObject, IsOptional, IsUUID, Max, Min, ValidateNested } from 'class-validator';
import { Invalid } from '#kernel/errors';
import { isJsonObject } from '#kernel/text/json-object';
import { textDefect } from '#kernel/text/plain-text';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import { resourceLimits, type ResourceLimits } from '#libs/services';
import { IsText } from '#platform/http/validation/text.decorator';

const COMPOSE =
  'services:\n  web:\n    image: nginx:1.27\n    volumes: [data:/usr/share/nginx/html]\nvolumes:\n  data: {}\n';
const MAX_VARIABLES = 500;
/** Valid names for `${NAME}` in a compose file. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_VALUE_LENGTH = 65_536;
const MAX_MEMORY_MB = 4_194_304;
const MAX_DISK_MB = 1_073_741_824;

/** Decorators run from the last to the first, so the type is checked before the range. */
export class ResourceLimitsDto implements ResourceLimits {
  @ApiProperty({ minimum: 0.05, maximum: 256, description: 'Cores, shared by all containers.', example: 1 })
  @Min(0.05)
  @Max(256)
  @IsNumber({ allowNaN: false, allowInfinity: false }, { message: '$property must be a number' })
  cpuCores: number;

  @ApiProperty({
    type: 'integer',
    minimum: 16,
    maximum: MAX_MEMORY_MB,
    description: 'Memory, shared by all containers.',
    example: 512,
  })
  @Min(16)
  @Max(MAX_MEMORY_MB)
  @IsInt({ message: '$property must be a whole number' })
  memoryMb: number;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_DISK_MB,
    description: 'Disk space. Measured, not enforced by the engine: a service above 110 % is stopped.',
    example: 5120,
  })
  @Min(1)
  @Max(MAX_DISK_MB)
  @IsInt({ message: '$property must be a whole number' })
  diskMb: number;
}

/** The limits of a request. Each may be omitted. */
export class GivenLimitsDto extends PartialType(ResourceLimitsDto) {}

export class ComposeSourceDto {
  @ApiProperty({ minLength: 1, maxLength: 262_144, description: 'A compose file.', example: COMPOSE })
  @IsText({ min: 1, max: 262_144 })
  composeYaml: string;

  @ApiProperty({
    type: GivenLimitsDto,
    required: false,
    nullable: true,
    description: 'Limits for all containers together. Defaults to 1 core, 512 MB of memory and 5120 MB of disk.',
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => GivenLimitsDto)
  resourceLimits?: GivenLimitsDto | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 65_536 },
    maxProperties: MAX_VARIABLES,
    selfRequired: false,
    nullable: true,
    description:
      'Values for `${NAME}` in the compose file, by NAME: letters, digits and underscores, not starting ' +
      'with a digit. Nothing else is interpolated.',
    example: { TAG: '1.27' },
  })
  @IsOptional()
  @IsObject()
  variables?: Record<string, unknown> | null;

  /** @throws Invalid for values that are not strings, and for invalid names */
  static check(this: void, { variables }: Readonly<Record<string, unknown>>): void {
    if (isJsonObject(variables)) ComposeSourceDto.values({ variables });
  }

  static limits({ resourceLimits: given }: ComposeSourceDto): ResourceLimits {
    return resourceLimits(ComposeSourceDto.givenLimits(given ?? {}));
  }

  static givenLimits({ cpuCores, memoryMb, diskMb }: GivenLimitsDto): Partial<ResourceLimits> {
    return {
      ...(cpuCores === undefined ? {} : { cpuCores }),
      ...(memoryMb === undefined ? {} : { memoryMb }),
      ...(diskMb === undefined ? {} : { diskMb }),
    };
  }

  /** @throws Invalid for values that are not strings, and for invalid names */
  static values({ variables }: Pick<ComposeSourceDto, 'variables'>): ReadonlyMap<string, string> {
    const entries = Object.entries(variables ?? {});
    if (entries.length > MAX_VARIABLES) throw Invalid.field('variables', `must not have more than ${MAX_VARIABLES}`);
    const unfit = entries.flatMap(([name, value]) => {
      const problem = variableProblem(name, value);
      return problem ? Invalid.at(['variables', name], `variables.${name} ${problem}`).violations : [];
    });
    const areNamed = entries.every(([name]) => VARIABLE_NAME.test(name));
    const many = `variables: ${unfit.length} of them ${areNamed ? 'must be strings' : 'cannot be used'}`;
    const summary = unfit.length > 1 ? many : unfit[0]?.message;
    if (summary) throw new Invalid('validation', summary, unfit);
    return new Map(entries as [string, string][]);
  }
}

/** The problem of a variable, as the rest of a sentence that starts with its name. Empty if there is none. */
function variableProblem(name: string, value: unknown): string {
  const problems = [
    ...(isText(value) ? [] : ['be a string']),
    ...(VARIABLE_NAME.test(name)
      ? []
      : ['have a name of letters, digits and underscores that does not start with a digit']),
  ];
  return problems.length > 0 ? `must ${problems.join(' and ')}` : '';
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && textDefect(value) === null;
}

export class CreateServiceDto extends ComposeSourceDto {
  @ApiProperty({ minLength: 1, maxLength: 200, description: 'Unique within its customer.', example: 'shop' })
  @IsText({ min: 1, max: 200, trim: true })
  name: string;

  @ApiProperty({ type: String, required: false, nullable: true, maxLength: 2000, example: 'The web shop' })
  @IsOptional()
  @IsText({ max: 2000 })
  description?: string | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    required: false,
    nullable: true,
    description: 'The organisation that the service is assigned to. Defaults to none.',
    example: null,
  })
  @IsOptional()
  @IsUUID('all', { message: '$property must be a UUID' })
  customerId?: string | null;

  static customer({ customerId }: CreateServiceDto): Uuid | null {
    return parseUuid(customerId);
  }
}

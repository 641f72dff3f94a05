import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, IsUUID, ValidateNested } from 'class-validator';
import { parseUuid } from '#kernel/crypto/uuid';
import { Invalid } from '#kernel/errors';
import { isJsonObject } from '#kernel/text/json-object';
import type { ServiceChange } from '#libs/services';
import { IsText, MayBeAbsent } from '#platform/http/validation/text.decorator';
import { checkGitChange, gitChangeOf, GitFieldsDto } from '../git/git-fields.dto.js';
import { ComposeSourceDto, GivenLimitsDto } from './create-service.dto.js';

const STAYS = 'Omitted values stay as they are.';

/**
 * A change of a service. Omitted fields are unchanged. The fields in snake_case are for services from a repository.
 */
export class UpdateServiceDto extends GitFieldsDto {
  @ApiProperty({ required: false, minLength: 1, maxLength: 200, description: STAYS, example: 'shop' })
  @MayBeAbsent()
  @IsText({ min: 1, max: 200, trim: true })
  name?: string;

  @ApiProperty({ type: String, required: false, nullable: true, maxLength: 2000, example: 'The web shop' })
  @IsOptional()
  @IsText({ max: 2000 })
  description?: string | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    required: false,
    nullable: true,
    description: 'The organisation that the service is assigned to, or null.',
    example: null,
  })
  @IsOptional()
  @IsUUID('all', { message: '$property must be a UUID' })
  customerId?: string | null;

  @ApiProperty({
    required: false,
    minLength: 1,
    maxLength: 262_144,
    description: 'A compose file that replaces the current one. Volumes that it no longer uses are kept.',
    example: 'services:\n  web:\n    image: nginx:1.28\n',
  })
  @MayBeAbsent()
  @IsText({ min: 1, max: 262_144 })
  composeYaml?: string;

  @ApiProperty({
    type: GivenLimitsDto,
    required: false,
    nullable: true,
    description: `Limits for all containers together. ${STAYS}`,
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => GivenLimitsDto)
  resourceLimits?: GivenLimitsDto | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', nullable: true, maxLength: 65_536 },
    selfRequired: false,
    nullable: true,
    description: `Values for \`\${NAME}\` in the compose file. Null removes one. ${STAYS}`,
    example: { TAG: '1.28' },
  })
  @IsOptional()
  @IsObject()
  variables?: Record<string, unknown> | null;

  /** @throws Invalid for values that are not strings, and for invalid names */
  static check(this: void, sent: Readonly<Record<string, unknown>>): void {
    const { variables } = sent;
    if (isJsonObject(variables)) UpdateServiceDto.values(variables);
    checkGitChange(sent);
  }

  static change(body: UpdateServiceDto): ServiceChange {
    const { name, description, customerId, composeYaml, resourceLimits, variables } = body;
    const git = gitChangeOf(body);
    return {
      ...(git ? { git } : {}),
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(customerId === undefined ? {} : { customerId: parseUuid(customerId) }),
      ...(composeYaml === undefined ? {} : { composeYaml }),
      ...(resourceLimits ? { resourceLimits: ComposeSourceDto.givenLimits(resourceLimits) } : {}),
      ...(variables ? { variables: UpdateServiceDto.values(variables) } : {}),
    };
  }

  private static values(variables: Record<string, unknown>): ReadonlyMap<string, string | null> {
    const entries = Object.entries(variables);
    const kept = entries.filter(([, value]) => value !== null);
    const values = ComposeSourceDto.values({ variables: Object.fromEntries(kept) });
    const gone = entries.filter(([, value]) => value === null).map(([name]): [string, null] => [name, null]);
    return new Map<string, string | null>([...values, ...gone]);
  }
}

/**
 * The version in `If-Match`: `3`, or `"3"` as in `ETag`.
 * @returns null without a condition @throws Invalid for a malformed header
 */
export function expectedVersion(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch.trim() === '' || ifMatch.trim() === '*') return null;
  const version = /^(?:W\/)?"?([1-9]\d{0,8})"?$/.exec(ifMatch.trim())?.[1];
  if (version === undefined) throw Invalid.field('If-Match', 'must be the number of a version');
  return Number(version);
}

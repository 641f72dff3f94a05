import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  isISO8601,
  IsOptional,
  IsRFC3339,
  isRFC3339,
  Max,
  Min,
} from 'class-validator';
import { collectViolations, combined } from '#kernel/collect-violations';
import { Invalid } from '#kernel/errors';
import {
  assertFuture,
  isPermission,
  isScope,
  PERMISSIONS,
  ROLES,
  UnknownPermission,
  type RequestedKey,
  type Role,
} from '#libs/panel-auth';
import { IsText, MayBeAbsent } from '#platform/http/validation/text.decorator';

const DEFAULT_RATE_RPM = 60;
const MAX_INTEGER = 2_147_483_647;

/** RFC 3339 also allows lower-case `t` and `z`, but the date parser used here does not. */
const UpperCase = () =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toUpperCase() : value));

export class CreateApiKeyDto {
  @ApiProperty({ minLength: 1, maxLength: 200, description: 'What the key is for.', example: 'nightly deploy' })
  @IsText({ min: 1, max: 200, trim: true })
  name: string;

  @ApiProperty({
    enum: ROLES,
    enumName: 'Role',
    required: false,
    description: "Defaults to the caller's role. A customer cannot create an admin key.",
    example: 'customer',
  })
  @MayBeAbsent()
  @IsIn(ROLES, { message: `$property must be one of ${ROLES.join(', ')}` })
  role?: Role;

  @ApiProperty({
    type: [String],
    nullable: true,
    required: false,
    description: 'Permission names, or `services:*` for all of one resource. Defaults to every permission of the role.',
    example: ['services:*', 'deployments:read'],
  })
  @IsOptional()
  @IsArray()
  scopes?: string[] | null;

  @ApiProperty({
    enum: PERMISSIONS,
    enumName: 'Permission',
    isArray: true,
    required: false,
    description: 'Permissions that the key must not have, whatever its role and scopes.',
    example: ['services:delete'],
  })
  @MayBeAbsent()
  @IsArray()
  permissionsDeny?: string[];

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    required: false,
    description: 'RFC 3339, in the future. Without it the key never expires.',
    example: '2027-01-01T00:00:00Z',
  })
  @IsOptional()
  @UpperCase()
  @IsISO8601({ strict: true }, { message: '$property must be a date and time that exists' })
  @IsRFC3339({ message: '$property must be an RFC 3339 date and time' })
  expiresAt?: string | null;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_INTEGER,
    required: false,
    description: `Requests per minute. Defaults to ${DEFAULT_RATE_RPM}.`,
    example: 60,
  })
  @MayBeAbsent()
  @Max(MAX_INTEGER)
  @Min(1, { message: '$property must be at least 1' })
  @IsInt({ message: '$property must be a whole number' })
  rateLimitRpm?: number;

  @ApiProperty({ required: false, description: 'For a machine rather than a person.', example: true })
  @MayBeAbsent()
  @IsBoolean()
  isServiceAccount?: boolean;

  @ApiProperty({ type: String, nullable: true, required: false, maxLength: 1000, example: 'runs at 02:00' })
  @IsOptional()
  @IsText({ max: 1000 })
  description?: string | null;

  /** @throws UnknownPermission for unknown names; Invalid for entries that are not strings, or an expiry in the past */
  static check({ scopes, permissionsDeny, expiresAt }: Readonly<Record<string, unknown>>, now: Date): void {
    collectViolations({
      expiresAt: () => isTimestamp(expiresAt) && assertFuture(existing(expiresAt), now),
      scopes: () => Array.isArray(scopes) && known('scopes', scopes, isScope),
      permissionsDeny: () => Array.isArray(permissionsDeny) && known('permissionsDeny', permissionsDeny, isPermission),
    });
  }

  /** @throws UnknownPermission for an unknown name; Invalid for a date that does not exist */
  static toRequest(body: CreateApiKeyDto): RequestedKey {
    return {
      name: body.name,
      role: body.role ?? null,
      scopes: body.scopes ? known('scopes', body.scopes, isScope) : null,
      permissionsDeny: known('permissionsDeny', body.permissionsDeny ?? [], isPermission),
      expiresAt: body.expiresAt ? existing(body.expiresAt) : null,
      rateLimitRpm: body.rateLimitRpm ?? null,
      isServiceAccount: body.isServiceAccount ?? false,
      description: body.description ?? null,
    };
  }
}

function known<T extends string>(field: string, names: readonly unknown[], isKnown: (name: string) => name is T): T[] {
  const refusals: Invalid[] = [];
  const found = names.flatMap((name, index) => {
    if (typeof name === 'string' && isKnown(name)) return [name];
    const place = `${field}.${index}`;
    refusals.push(
      typeof name === 'string'
        ? new UnknownPermission(field, [{ index, name }])
        : Invalid.field(place, 'must be a string'),
    );
    return [];
  });
  if (refusals.length > 0) throw combined(refusals);
  return [...new Set(found)];
}

/** Anything else is reported by the decorators of the field. */
function isTimestamp(value: unknown): value is string {
  return typeof value === 'string' && isRFC3339(value) && isISO8601(value.toUpperCase(), { strict: true });
}

/** RFC 3339 ends with the year 9999. An offset could lead beyond it. */
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

function existing(text: string): Date {
  const instant = new Date(text.toUpperCase());
  if (!(instant.getTime() <= LAST_INSTANT)) throw Invalid.field('expiresAt', 'must be a date and time that exists');
  return instant;
}

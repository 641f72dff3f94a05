import { ApiProperty } from '@nestjs/swagger';
import { IsArray, IsIn, IsOptional } from 'class-validator';
import { combined } from '#kernel/collect-violations';
import { Invalid } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  isEmailAddress,
  isPermission,
  PERMISSIONS,
  ROLES,
  UnknownPermission,
  type Member,
  type NewMember,
  type Permission,
  type Role,
} from '#libs/panel-auth';
import { IsText, MayBeAbsent } from '#platform/http/validation/text.decorator';

const MAX_ADDRESS_LENGTH = 254;

export class AddMemberDto {
  @ApiProperty({
    format: 'email',
    maxLength: MAX_ADDRESS_LENGTH,
    example: 'ada@example.com',
    description: 'A user who has never signed in is matched by this address at the first sign-in.',
  })
  @IsText({ min: 1, max: MAX_ADDRESS_LENGTH, trim: true })
  email: string;

  @ApiProperty({
    enum: ROLES,
    enumName: 'Role',
    required: false,
    description: "Defaults to `customer`. A membership never goes beyond the user's own role.",
    example: 'customer',
  })
  @MayBeAbsent()
  @IsIn(ROLES, { message: `$property must be one of ${ROLES.join(', ')}` })
  role?: Role;

  @ApiProperty({
    enum: PERMISSIONS,
    enumName: 'Permission',
    isArray: true,
    nullable: true,
    required: false,
    maxItems: PERMISSIONS.length,
    description: 'Only these permissions of the role. Without it, or with null, all of them.',
    example: ['services:read', 'services.logs:read'],
  })
  @IsOptional()
  @IsArray()
  permissions?: string[] | null;

  /** @throws Invalid for an invalid e-mail address; UnknownPermission for unknown permissions */
  static check({ email, permissions }: Readonly<Record<string, unknown>>): void {
    const refusals: Invalid[] = [];
    if (typeof email === 'string' && email.trim() !== '' && !isEmailAddress(email.trim()))
      refusals.push(Invalid.field('email', 'must be an e-mail address'));
    if (Array.isArray(permissions))
      (permissions as unknown[]).forEach((name, index) => {
        if (typeof name !== 'string') refusals.push(Invalid.field(`permissions.${index}`, 'must be a string'));
        else if (!isPermission(name)) refusals.push(new UnknownPermission('permissions', [{ index, name }]));
      });
    if (refusals.length > 0) throw combined(refusals);
  }

  static toMember({ email, role, permissions }: AddMemberDto): NewMember {
    return {
      email: email.trim(),
      role: role ?? 'customer',
      permissions: permissions ? [...new Set(permissions.filter(isPermission))] : null,
    };
  }
}

export class MemberDto {
  @ApiProperty({ type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' })
  userId: Uuid;

  @ApiProperty({ format: 'email', maxLength: MAX_ADDRESS_LENGTH, example: 'ada@example.com' })
  email: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role', example: 'customer', description: 'The role of the membership.' })
  role: Role;

  @ApiProperty({
    enum: PERMISSIONS,
    enumName: 'Permission',
    isArray: true,
    nullable: true,
    maxItems: PERMISSIONS.length,
    description: 'The permissions to which the membership is restricted. Null means all of the role.',
    example: ['services:read'],
  })
  permissions: readonly Permission[] | null;

  @ApiProperty({ example: false, description: 'No credential of a disabled user is accepted.' })
  isDisabled: boolean;

  @ApiProperty({ example: true, description: 'False for a user who was added and has not signed in yet.' })
  hasSignedIn: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    example: '2026-05-01T08:30:00.000Z',
    description: 'When the membership began.',
  })
  createdAt: Date;

  static of({ userId, email, role, permissions, isDisabled, hasSignedIn, createdAt }: Member): MemberDto {
    return { userId, email, role, permissions, isDisabled, hasSignedIn, createdAt };
  }
}

export class MemberListDto {
  @ApiProperty({ type: [MemberDto], maxItems: 10_000 })
  data: MemberDto[];
}

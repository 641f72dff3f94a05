import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role, type Session, type User } from '#libs/panel-auth';
import type { Uuid } from '#kernel/crypto/uuid';

class UserDto {
  @ApiProperty({ type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' })
  id: Uuid;

  @ApiProperty({ example: 'ada@example.com' })
  email: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role', example: 'customer' })
  role: Role;
}

export class IdentityDto {
  @ApiProperty({ type: UserDto })
  user: UserDto;

  static of({ id, email, role }: User): IdentityDto {
    return { user: { id, email, role } };
  }
}

export class SessionDto {
  @ApiProperty({ type: String, format: 'uuid', example: '0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52' })
  id: Uuid;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' })
  createdAt: Date;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Fixed at sign-in; use does not extend it.',
    example: '2026-05-01T09:30:00.000Z',
  })
  expiresAt: Date;

  @ApiProperty({ type: String, nullable: true, description: 'User agent of the browser.', example: 'Mozilla/5.0' })
  userAgent: string | null;

  @ApiProperty({ description: 'Whether this request uses the session.', example: true })
  current: boolean;

  static of({ id, createdAt, expiresAt, userAgent }: Session, currentId: Uuid): SessionDto {
    return { id, createdAt, expiresAt, userAgent, current: id === currentId };
  }
}

export class SessionListDto {
  @ApiProperty({ type: [SessionDto] })
  sessions: SessionDto[];
}

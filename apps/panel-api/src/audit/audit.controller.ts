import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiQuery, ApiTags } from '@nestjs/swagger';
import { collectViolations } from '#kernel/collect-violations';
import { Invalid } from '#kernel/errors';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import { AUDIT_ACTIONS, AuditLog, type AuditAction, type AuditEntry, type ShownAuditEntry } from '#libs/panel-auth';
import { listPage, PaginationDto } from '../http/list-page.js';
import { PanelRoute } from '../http/panel-route.decorator.js';

const ID = { type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };

class AuditEntryDto {
  @ApiProperty(ID)
  id: Uuid;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' })
  at: Date;

  @ApiProperty({ enum: AUDIT_ACTIONS, enumName: 'AuditAction', example: 'api_key.created' })
  action: AuditAction;

  @ApiProperty({ ...ID, nullable: true, description: 'Null for the staff CLI and for unauthenticated requests.' })
  userId: Uuid | null;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 320,
    description: 'The present e-mail address of the user.',
    example: 'ada@example.com',
  })
  userEmail: string | null;

  @ApiProperty({ ...ID, nullable: true, description: 'The API key that was used.' })
  apiKeyId: Uuid | null;

  @ApiProperty({ ...ID, nullable: true })
  organisationId: Uuid | null;

  @ApiProperty({ type: String, nullable: true, description: 'What was changed.', example: 'SMTP_PASSWORD' })
  target: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { role: 'customer' } })
  detail: AuditEntry['detail'];

  static of({ id, at, action, actor, organisationId, target, detail, userEmail }: ShownAuditEntry): AuditEntryDto {
    return { id, at, action, ...actor, userEmail, organisationId, target, detail };
  }
}

class AuditPageDto {
  @ApiProperty({ type: [AuditEntryDto] })
  data: AuditEntryDto[];

  @ApiProperty({ type: PaginationDto })
  pagination: PaginationDto;
}

@ApiTags('Audit')
@Controller('api/v1/audit')
export class AuditController {
  constructor(private readonly audit: AuditLog) {}

  @Get()
  @PanelRoute({ reach: 'installation', permission: 'audit:read', errors: [422] })
  @ApiOperation({
    operationId: 'listAudit',
    summary: 'Read the audit log',
    description: 'Newest first. Entries are never changed or removed.',
  })
  @ApiQuery({
    name: 'page',
    required: false,
    description: 'Page number, from 1. Invalid values count as 1.',
    schema: { type: 'integer', default: 1 },
    example: 1,
  })
  @ApiQuery({
    name: 'pageSize',
    required: false,
    description: 'Items per page, 1 to 100. Invalid values count as 20.',
    schema: { type: 'integer', default: 20 },
    example: 20,
  })
  @ApiQuery({
    name: 'action',
    required: false,
    description: 'Only entries with this action.',
    enum: AUDIT_ACTIONS,
    enumName: 'AuditAction',
  })
  @ApiQuery({
    name: 'userId',
    required: false,
    description: 'Only entries of this user.',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiQuery({
    name: 'organisationId',
    required: false,
    description: 'Only entries of this organisation.',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiOkResponse({ type: AuditPageDto, description: 'A page of the log.' })
  async list(@Query() query: Record<string, unknown>): Promise<AuditPageDto> {
    const page = listPage(query['page'], query['pageSize']);
    const filter = collectViolations({
      action: () => known(query['action']),
      userId: () => uuid(query, 'userId'),
      organisationId: () => uuid(query, 'organisationId'),
    });
    const { entries, total } = await this.audit.page(filter, page.page, page.pageSize);
    return { data: entries.map((entry) => AuditEntryDto.of(entry)), pagination: PaginationDto.of(page, total) };
  }
}

function known(value: unknown): AuditAction | null {
  if (value === undefined) return null;
  const action = AUDIT_ACTIONS.find((name) => name === value);
  if (!action) throw Invalid.field('action', `must be one of ${AUDIT_ACTIONS.join(', ')}`);
  return action;
}

function uuid(query: Record<string, unknown>, name: string): Uuid | null {
  if (query[name] === undefined) return null;
  const id = parseUuid(query[name]);
  if (!id) throw Invalid.field(name, 'must be a UUID');
  return id;
}

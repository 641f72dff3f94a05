import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow, IsArray, IsString, Matches } from 'class-validator';
import { LEDGER_EVENT_TYPES, type ActivityFilter, type ActivityPage } from '#libs/licensing';
import { PageRequest } from '#kernel/page';
import { textDefect } from '#kernel/text/plain-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { IsText, MayBeAbsent } from '#platform/http/validation/text.decorator';
import { IsBound } from '../http/instants.js';

export class ActivityFilterQuery {
  @ApiPropertyOptional({
    type: [String],
    description: `Only these events; may be repeated. Known: ${LEDGER_EVENT_TYPES.join(', ')}. Unknown events match nothing.`,
  })
  @MayBeAbsent()
  @Transform(({ value }: { value: unknown }) => (value === undefined ? undefined : [value].flat()))
  @IsArray()
  @IsString({ each: true })
  event?: string[];

  @ApiPropertyOptional({ maxLength: 500, description: 'Exactly this actor. Empty selects events without an actor.' })
  @MayBeAbsent()
  @IsText({ max: 500 })
  actor?: string;

  @ApiPropertyOptional({ type: String, description: 'At this time or later. A date or a timestamp.' })
  @MayBeAbsent()
  @IsBound('from')
  from?: Date;

  @ApiPropertyOptional({ type: String, description: 'At this time or earlier. A date includes its whole day.' })
  @MayBeAbsent()
  @IsBound('to')
  to?: Date;
}

export class ActivityListQuery extends ActivityFilterQuery {
  // No type or limits in the document: invalid values are accepted and replaced by the default.
  @ApiPropertyOptional({
    type: 'integer',
    default: 50,
    description: 'Page size, 1 to 200. Invalid values count as 50.',
  })
  @Allow()
  limit?: unknown;

  @ApiPropertyOptional({ type: 'integer', default: 0, description: 'Events to skip. Invalid values count as 0.' })
  @Allow()
  offset?: unknown;

  @ApiPropertyOptional({
    type: 'integer',
    format: 'int64',
    description: 'Continue after the event with this id. `offset` is then ignored.',
  })
  @MayBeAbsent()
  @Matches(/^\d{1,15}$/, { message: '$property must be the id of an event' })
  after?: string;
}

export function filterOf({ event, actor, from, to }: ActivityFilterQuery): ActivityFilter {
  // Values that cannot occur in a ledger match nothing, like any other unknown event.
  const events = event?.filter((name) => textDefect(name) === null);
  return { events, actor: actor === '' ? null : actor, from, to };
}

export function pageOf({ limit, offset, after }: ActivityListQuery): ActivityPage {
  const page = PageRequest.lenient(limit, offset);
  return { limit: page.limit, offset: page.offset, after: after === undefined ? null : Number(after) };
}

export class ActivityEventDto {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Increases with every event.', example: 1042 })
  id: number;

  @ApiProperty({
    type: String,
    description: 'Clients must accept events that are added later.',
    example: 'license.issued',
  })
  event: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' })
  at: Date;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Partner id for a token, e-mail address for a signed-in person, null for the system.',
    example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11',
  })
  actor: string | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Null for events from before customers existed.',
    example: '0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52',
  })
  customerId: Uuid | null;

  @ApiProperty({ type: String, format: 'uuid', example: '9c5b94b1-35ad-49bb-b118-8e8fc24abf80' })
  licenseId: Uuid;

  @ApiProperty({ example: 'L-42' })
  licenseHumanId: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'Edition changes: `from`, `to`. Transfers: `transferId`, `effectiveDate`, `fromPartnerId`, `toPartnerId`. ' +
      'Otherwise empty.',
    example: { from: 'web-host', to: 'web-pro' },
  })
  data: Readonly<Record<string, string>>;
}

class EventCountDto {
  @ApiProperty({ example: 'license.issued' })
  event: string;

  @ApiProperty({ type: 'integer', example: 3 })
  count: number;
}

class ActorCountDto {
  @ApiProperty({ type: String, nullable: true, example: null })
  actor: string | null;

  @ApiProperty({ type: 'integer', example: 3 })
  count: number;
}

export class ActivitySummaryDto {
  @ApiProperty({ type: String, format: 'uuid', example: '0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52' })
  customerId: Uuid;

  @ApiProperty({ type: 'integer', example: 7 })
  total: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-05-01T08:30:00.000Z' })
  firstAt: Date | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-05-09T10:00:00.000Z' })
  lastAt: Date | null;

  @ApiProperty({ type: [EventCountDto], description: 'Sorted by event.' })
  byEvent: readonly EventCountDto[];

  @ApiProperty({ type: [ActorCountDto], description: 'Sorted by actor. Events without an actor come last.' })
  byActor: readonly ActorCountDto[];
}

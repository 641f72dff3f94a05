import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ActivityQueries } from '#libs/licensing';
import type { Uuid } from '#kernel/crypto/uuid';
import { CurrentCaller, type Caller } from '../http/caller.decorator.js';
import { linkNextPage, PAGE_HEADERS } from '../http/page.js';
import { PartnerRoute } from '../http/partner-route.decorator.js';
import { PathId } from '../http/path-id.pipe.js';
import { activityCsv } from './activity-csv.js';
import {
  ActivityEventDto,
  ActivityFilterQuery,
  ActivityListQuery,
  ActivitySummaryDto,
  filterOf,
  pageOf,
} from './activity.dto.js';

const EXPORT_ROW_LIMIT = 5_000;
const CUSTOMER_ID = { name: 'id', format: 'uuid', example: '0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52' };

const header = (description: string, type: string) => ({ description, schema: { type } });

@ApiTags('Activity')
@Controller('v1/customers/:id/activity')
export class ActivityController {
  constructor(private readonly activity: ActivityQueries) {}

  @Get()
  @PartnerRoute({ scope: 'read', tenancy: 'subtree', errors: [404, 422] })
  @ApiOperation({
    operationId: 'listActivity',
    summary: 'List the ledger events of a customer',
    description:
      'Newest first. Each event belongs to the customer who owned the license at the time: after a transfer ' +
      'the seller keeps the history and the buyer sees later events. All filters must match.',
  })
  @ApiParam(CUSTOMER_ID)
  @ApiOkResponse({ type: [ActivityEventDto], description: 'A page of events.', headers: PAGE_HEADERS })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: ActivityListQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ActivityEventDto[]> {
    const page = pageOf(query);
    const events = await this.activity.list(caller.subtree, id, filterOf(query), page);
    linkNextPage(reply, page, events);
    return events;
  }

  @Get('summary')
  @PartnerRoute({ scope: 'read', tenancy: 'subtree', errors: [404] })
  @ApiOperation({
    operationId: 'summarizeActivity',
    summary: 'Count the ledger events of a customer',
    description: 'Counts by event and by actor.',
  })
  @ApiParam(CUSTOMER_ID)
  @ApiOkResponse({ type: ActivitySummaryDto, description: 'The counts.' })
  summary(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<ActivitySummaryDto> {
    return this.activity.summary(caller.subtree, id);
  }

  @Get('export')
  @PartnerRoute({ scope: 'read', tenancy: 'subtree', errors: [404, 422] })
  @ApiOperation({
    operationId: 'exportActivity',
    summary: 'Export the ledger events of a customer as CSV',
    description:
      'The events of the list with the same filters, newest first, at most 5000. RFC 4180, UTF-8, CRLF. A ' +
      'cell that a spreadsheet would read as a formula gets a leading apostrophe.',
  })
  @ApiParam(CUSTOMER_ID)
  @ApiOkResponse({
    description: 'The file.',
    content: { 'text/csv': { schema: { type: 'string' } } },
    headers: {
      'Content-Disposition': header('Attachment with a file name.', 'string'),
      'X-Export-Row-Limit': header('How many events the file can hold.', 'integer'),
      'X-Export-Total-Rows': header('How many events match.', 'integer'),
      'X-Export-Truncated': header('Whether matching events were left out.', 'boolean'),
    },
  })
  async export(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: ActivityFilterQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { total, events } = await this.activity.export(caller.subtree, id, filterOf(query), EXPORT_ROW_LIMIT);
    reply
      .header('x-export-row-limit', String(EXPORT_ROW_LIMIT))
      .header('x-export-total-rows', String(total))
      .header('x-export-truncated', String(total > EXPORT_ROW_LIMIT));
    return new StreamableFile(Readable.from(activityCsv(events), { objectMode: false }), {
      type: 'text/csv; charset=utf-8',
      disposition: `attachment; filename="activity_${id}.csv"`,
    });
  }
}

import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LicenseTransfers, TransferQueries, type Actor } from '#libs/licensing';
import { Resumable } from '#platform/idempotency/resumable';
import type { PartnerErrorReason } from '../errors/partner-error-reasons.js';
import { CurrentActor } from '../http/actor.decorator.js';
import { CurrentCaller, type Caller } from '../http/caller.decorator.js';
import { linkNextPage, PAGE_HEADERS, pageOf } from '../http/page.js';
import { AcceptsIdempotencyKey, PartnerRoute } from '../http/partner-route.decorator.js';
import { CreateTransferDto, filterOf, TransferDto, TransferListQuery } from './transfer.dto.js';

const TRANSFER_REASONS = [
  'license-terminated',
  'transfer-same-owner',
  'contract-not-valid',
  'contract-cap-reached',
  'pack-exhausted',
  'contract-partner-mismatch',
  'edition-not-in-contract',
  'effective-date-in-future',
  'effective-date-before-issue',
  'effective-date-before-last-transfer',
  'effective-date-in-past',
] as const satisfies readonly PartnerErrorReason[];

@ApiTags('Transfers')
@Controller('v1/transfers')
export class TransfersController {
  constructor(
    private readonly transfers: LicenseTransfers,
    private readonly queries: TransferQueries,
  ) {}

  @Get()
  @PartnerRoute({ scope: 'read', tenancy: 'subtree', errors: [404, 422] })
  @ApiOperation({
    operationId: 'listTransfers',
    summary: 'List transfers from or to the subtree',
    description: 'Newest first. A page with fewer transfers than `limit` is the last. All filters must match.',
  })
  @ApiOkResponse({ type: [TransferDto], description: 'A page of transfers.', headers: PAGE_HEADERS })
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: TransferListQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TransferDto[]> {
    const page = pageOf(query);
    const transfers = await this.queries.list(caller.subtree, filterOf(query), page);
    linkNextPage(reply, page, transfers);
    return transfers.map((transfer) => TransferDto.from(transfer));
  }

  @Post()
  @Resumable()
  @PartnerRoute({ scope: 'write', tenancy: 'subtree', body: true, errors: [404, 409], reasons: TRANSFER_REASONS })
  @AcceptsIdempotencyKey()
  @ApiOperation({
    operationId: 'createTransfer',
    summary: 'Transfer a license to another owner',
    description:
      'The current owner and `toPartnerId` must both be in the subtree. Partner, customer and contract ' +
      'change; the key stays the same. The effective day and all later days are billed to the new owner. ' +
      '`metadataSync` says whether the license service already knows.',
  })
  @ApiCreatedResponse({ type: TransferDto, description: 'The completed transfer.' })
  async create(
    @CurrentActor() actor: Actor,
    @CurrentCaller() caller: Caller,
    @Body() body: CreateTransferDto,
  ): Promise<TransferDto> {
    const { licenseId, toPartnerId, toCustomerId, toContractId, reason = '', effectiveDate } = body;
    const wish = { licenseId, toPartnerId, toCustomerId, toContractId, reason, effectiveDate };
    return TransferDto.from(await this.transfers.transfer(actor, caller.tokenId, wish));
  }
}

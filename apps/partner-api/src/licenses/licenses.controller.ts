import { Body, Controller, Get, HttpCode, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { KeyHandovers, LicenseChanges, LicenseIssuing, LicenseQueries, type Actor } from '#libs/licensing';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { jsonArrayBytes } from '#platform/http/fastify/json-bytes';
import { Resumable } from '#platform/idempotency/resumable';
import type { PartnerErrorReason } from '../errors/partner-error-reasons.js';
import { CurrentActor } from '../http/actor.decorator.js';
import { CurrentCaller, type Caller } from '../http/caller.decorator.js';
import { linkNextPage, PAGE_HEADERS, pageOf } from '../http/page.js';
import { AcceptsIdempotencyKey, PartnerRoute } from '../http/partner-route.decorator.js';
import { PathId } from '../http/path-id.pipe.js';
import { ChangeEditionDto, IssuedLicenseDto, IssueLicenseDto, LicenseDto } from './license.dto.js';
import { handOverKey } from './key-in-answer.js';
import { KnownEditionGuard } from './known-edition.guard.js';
import { filterOf, LicenseListQuery } from './license-list.dto.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const LICENSE_ID = { name: 'id', format: 'uuid', example: '9c5b94b1-35ad-49bb-b118-8e8fc24abf80' };

const ISSUE_REASONS = [
  'contract-not-valid',
  'contract-cap-reached',
  'pack-exhausted',
  'contract-partner-mismatch',
  'edition-not-in-contract',
  'edition-unknown',
] as const satisfies readonly PartnerErrorReason[];

const EDITION_REASONS = [
  'license-not-active',
  'license-expired',
  'license-terminated',
  'edition-not-in-contract',
  'edition-unknown',
] as const satisfies readonly PartnerErrorReason[];

@ApiTags('Licenses')
@Controller('v1/licenses')
export class LicensesController {
  constructor(
    private readonly issuing: LicenseIssuing,
    private readonly changes: LicenseChanges,
    private readonly queries: LicenseQueries,
    private readonly handovers: KeyHandovers,
    private readonly clock: Clock,
  ) {}

  @Get()
  @PartnerRoute({ scope: 'read', tenancy: 'subtree', errors: [404, 422] })
  @ApiOperation({
    operationId: 'listLicenses',
    summary: 'List the licenses of the subtree',
    description: 'Newest first. A page with fewer licenses than `limit` is the last. All filters must match.',
  })
  @ApiOkResponse({ type: [LicenseDto], description: 'A page of licenses.', headers: PAGE_HEADERS })
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: LicenseListQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const page = pageOf(query);
    const licenses = await this.queries.list(caller.subtree, filterOf(query), page, this.today());
    linkNextPage(reply, page, licenses);
    reply.type(JSON_TYPE);
    return jsonArrayBytes(licenses.map((license) => JSON.stringify(LicenseDto.from(license))));
  }

  @Post()
  @Resumable()
  @UseGuards(KnownEditionGuard)
  @PartnerRoute({
    scope: 'write',
    tenancy: 'subtree',
    body: true,
    errors: [404, 409],
    reasons: ISSUE_REASONS,
  })
  @AcceptsIdempotencyKey()
  @ApiOperation({
    operationId: 'issueLicense',
    summary: 'Issue a license',
    description:
      'The full `key` is shown in this response only. The license starts as `active`, or as `trial` on a ' +
      'contract with the model `trial`. With an `Idempotency-Key`, repeat the request after a lost response ' +
      'to get the same license. Without one, a license whose response could not be sent is terminated, ' +
      'because nobody has its key.',
  })
  @ApiCreatedResponse({ type: IssuedLicenseDto, description: 'The new license and its key.' })
  async issue(
    @CurrentActor() actor: Actor,
    @Body() body: IssueLicenseDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<IssuedLicenseDto> {
    const { customerId, contractId, edition, externalBillingRef = '' } = body;
    const issued = await this.issuing.issue(actor, { customerId, contractId, edition, externalBillingRef });
    await handOverKey(reply, actor, issued.license.id, this.handovers);
    return IssuedLicenseDto.from(issued);
  }

  @Get(':id')
  @PartnerRoute({ scope: 'read', tenancy: 'subtree', errors: [404] })
  @ApiOperation({ operationId: 'getLicense', summary: 'Read a license', description: 'One license of the subtree.' })
  @ApiParam(LICENSE_ID)
  @ApiOkResponse({ type: LicenseDto, description: 'The license.' })
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<LicenseDto> {
    return LicenseDto.from(await this.queries.get(caller.subtree, id, this.today()));
  }

  @Post(':id/suspend')
  @HttpCode(200)
  @Resumable()
  @PartnerRoute({
    scope: 'write',
    tenancy: 'subtree',
    errors: [404, 409],
    reasons: ['license-expired', 'license-terminated'],
  })
  @AcceptsIdempotencyKey()
  @ApiOperation({
    operationId: 'suspendLicense',
    summary: 'Suspend a license',
    description:
      'A running panel finds out at its next validation. The license is still billed. Repeating the call changes nothing.',
  })
  @ApiParam(LICENSE_ID)
  @ApiOkResponse({ type: LicenseDto, description: 'The suspended license.' })
  suspend(@CurrentActor() actor: Actor, @Param('id', PathId) id: Uuid): Promise<LicenseDto> {
    return this.changes.suspend(actor, id);
  }

  @Post(':id/resume')
  @HttpCode(200)
  @Resumable()
  @PartnerRoute({
    scope: 'write',
    tenancy: 'subtree',
    errors: [404, 409],
    reasons: ['license-not-suspended', 'license-expired', 'license-terminated'],
  })
  @AcceptsIdempotencyKey()
  @ApiOperation({
    operationId: 'resumeLicense',
    summary: 'Resume a suspended license',
    description: 'Restores the state before the suspension. A trial that has ended meanwhile becomes `expired`.',
  })
  @ApiParam(LICENSE_ID)
  @ApiOkResponse({ type: LicenseDto, description: 'The license with its new state.' })
  resume(@CurrentActor() actor: Actor, @Param('id', PathId) id: Uuid): Promise<LicenseDto> {
    return this.changes.resume(actor, id);
  }

  @Post(':id/terminate')
  @HttpCode(200)
  @Resumable()
  @PartnerRoute({ scope: 'write', tenancy: 'subtree', errors: [404] })
  @AcceptsIdempotencyKey()
  @ApiOperation({
    operationId: 'terminateLicense',
    summary: 'Terminate a license',
    description: 'Permanent and irreversible. Today is the last billed day. Repeating the call changes nothing.',
  })
  @ApiParam(LICENSE_ID)
  @ApiOkResponse({ type: LicenseDto, description: 'The terminated license.' })
  terminate(@CurrentActor() actor: Actor, @Param('id', PathId) id: Uuid): Promise<LicenseDto> {
    return this.changes.terminate(actor, id);
  }

  @Post(':id/edition')
  @HttpCode(200)
  @Resumable()
  @PartnerRoute({
    scope: 'write',
    tenancy: 'subtree',
    body: true,
    errors: [404, 409],
    reasons: EDITION_REASONS,
  })
  @AcceptsIdempotencyKey()
  @ApiOperation({
    operationId: 'changeLicenseEdition',
    summary: 'Change the edition of an active license',
    description: 'The current edition is accepted and changes nothing. Only active licenses can be changed.',
  })
  @ApiParam(LICENSE_ID)
  @ApiOkResponse({ type: LicenseDto, description: 'The license with its new edition.' })
  changeEdition(
    @CurrentActor() actor: Actor,
    @Param('id', PathId) id: Uuid,
    @Body() body: ChangeEditionDto,
  ): Promise<LicenseDto> {
    return this.changes.changeEdition(actor, id, body.edition);
  }

  private today(): BillingDate {
    return BillingDate.of(this.clock.now());
  }
}

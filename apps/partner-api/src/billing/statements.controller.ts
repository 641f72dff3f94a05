import { Readable } from 'node:stream';
import { Controller, Get, Header, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { StatementProof, StatementQueries } from '#libs/billing';
import type { Uuid } from '#kernel/crypto/uuid';
import { PublicRoute } from '#platform/http/routing/route-policy';
import { ApiErrors } from '../http/api-errors.decorator.js';
import { CurrentCaller, type Caller } from '../http/caller.decorator.js';
import { PartnerRoute } from '../http/partner-route.decorator.js';
import { PathId } from '../http/path-id.pipe.js';
import { jsonStream } from './json-stream.js';
import { statementVerifier } from './statement-verifier.js';
import { StatementProofDto } from './proof.dto.js';
import { ExportQuery, StatementDto, StatementSummaryDto } from './statement.dto.js';

const STATEMENT_ID = { name: 'id', format: 'uuid', example: '7d0e3a52-4a5b-4a3c-8b59-0f3c1d2e4f60' };
const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' };

const header = (description: string) => ({ description, schema: { type: 'string' } });

@ApiTags('Billing')
@Controller('v1/statements')
export class StatementsController {
  constructor(
    private readonly statements: StatementQueries,
    private readonly proofs: StatementProof,
  ) {}

  @Get()
  @PartnerRoute({ scope: 'read', tenancy: 'own' })
  @ApiOperation({
    operationId: 'listStatements',
    summary: 'List the statements of your account',
    description: 'Finalized and superseded statements, latest month and revision first. Not paged.',
  })
  @ApiOkResponse({ type: [StatementSummaryDto], description: 'All statements, without their lines.' })
  async list(@CurrentCaller() caller: Caller): Promise<StatementSummaryDto[]> {
    return (await this.statements.list(caller.account)).map((statement) => StatementSummaryDto.from(statement));
  }

  @Get('verifier.mjs')
  @PublicRoute()
  @Header('content-type', 'text/javascript; charset=utf-8')
  @ApiErrors([429, 500])
  @ApiProduces('text/javascript')
  @ApiOperation({
    operationId: 'getStatementVerifier',
    summary: 'Download the verifier of statement proofs',
    description:
      'One file for Node 20 or newer that needs no package and no network: read it before you run it. ' +
      '`getStatementProof` tells how. No token is needed.',
  })
  @ApiOkResponse({ content: { 'text/javascript': { schema: { type: 'string' } } }, description: 'The program.' })
  verifier(): Promise<string> {
    return statementVerifier();
  }

  @Get(':id')
  @PartnerRoute({ scope: 'read', tenancy: 'own', errors: [404] })
  @ApiOperation({
    operationId: 'getStatement',
    summary: 'Read a statement',
    description: 'With its lines, and every license of the metered lines.',
  })
  @ApiParam(STATEMENT_ID)
  @ApiOkResponse({ type: StatementDto, description: 'The statement.' })
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<StreamableFile> {
    return jsonStream((await this.statements.export(caller.account, id, 'json')).content);
  }

  @Get(':id/export')
  @PartnerRoute({ scope: 'read', tenancy: 'own', errors: [404, 422] })
  @ApiOperation({
    operationId: 'exportStatement',
    summary: 'Download a statement as a file',
    description:
      'CSV (RFC 4180, UTF-8, CRLF; a row for each license of a metered contract, one for any other ' +
      'contract) or the JSON of `GET /v1/statements/{id}`. A statement always produces the same bytes. In ' +
      'the CSV, a cell that a spreadsheet would read as a formula gets a leading apostrophe.',
  })
  @ApiParam(STATEMENT_ID)
  @ApiProduces('text/csv', 'application/json')
  @ApiOkResponse({
    description: 'The file.',
    content: {
      'text/csv': { schema: { type: 'string' } },
      'application/json': { schema: { $ref: getSchemaPath(StatementDto) } },
    },
    headers: {
      'Content-Disposition': header('Attachment, `statement_{partnerId}_{YYYY-MM}_r{revision}.{csv|json}`.'),
      'Repr-Digest': header('SHA-256 of the file as fixed when the statement was finalized (RFC 9530).'),
    },
  })
  async export(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() { format }: ExportQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { fileName, sha256, content } = await this.statements.export(caller.account, id, format);
    if (sha256) reply.header('repr-digest', `sha-256=:${sha256.toString('base64')}:`);
    return new StreamableFile(Readable.from(content, { objectMode: false }), {
      type: MEDIA_TYPES[format],
      disposition: `attachment; filename="${fileName}"`,
    });
  }

  @Get(':id/proof')
  @PartnerRoute({ scope: 'read', tenancy: 'own', errors: [404] })
  @ApiOperation({
    operationId: 'getStatementProof',
    summary: 'Read the proof of a statement',
    description:
      'For each license, its exact fraction and the ledger events behind its days, each with its position ' +
      "in the license's hash chain. With this and the JSON export, anybody can recompute every cent and every hash " +
      'without us. Our verifier does it, with nothing but Node: download `/v1/statements/verifier.mjs`, the export as ' +
      '`statement.json` and this as `proof.json`, and run `node verifier.mjs statement.json proof.json`. It prints ' +
      '`Every cent and every hash agrees.`, or a line for each disagreement and exits with 1.',
  })
  @ApiParam(STATEMENT_ID)
  @ApiOkResponse({ type: StatementProofDto, description: 'The proof.' })
  async proof(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<StreamableFile> {
    return jsonStream(await this.proofs.of(caller.account, id));
  }
}

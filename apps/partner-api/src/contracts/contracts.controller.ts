import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Contracts } from '#libs/billing';
import type { Uuid } from '#kernel/crypto/uuid';
import { CurrentCaller, type Caller } from '../http/caller.decorator.js';
import { linkNextPage, PAGE_HEADERS, PageQuery, pageOf } from '../http/page.js';
import { PartnerRoute } from '../http/partner-route.decorator.js';
import { PathId } from '../http/path-id.pipe.js';
import { ContractDto } from './contract.dto.js';

@ApiTags('Contracts')
@Controller('v1/contracts')
export class ContractsController {
  constructor(private readonly contracts: Contracts) {}

  @Get()
  @PartnerRoute({ scope: 'read', tenancy: 'subtree', errors: [404, 422] })
  @ApiOperation({
    operationId: 'listContracts',
    summary: 'List the contracts of the subtree',
    description: 'Newest first. Contracts are created by staff; licenses are issued on them.',
  })
  @ApiOkResponse({ type: [ContractDto], description: 'A page of contracts.', headers: PAGE_HEADERS })
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ContractDto[]> {
    const page = pageOf(query);
    const contracts = (await this.contracts.list(caller.subtree, page)).map((contract) => ContractDto.from(contract));
    linkNextPage(reply, page, contracts);
    return contracts;
  }

  @Get(':id')
  @PartnerRoute({ scope: 'read', tenancy: 'subtree', errors: [404] })
  @ApiOperation({ operationId: 'getContract', summary: 'Read a contract', description: 'One contract of the subtree.' })
  @ApiParam({ name: 'id', format: 'uuid', example: '3d1c2b4a-6a1f-4f0e-9d54-7b8f2f1f6a10' })
  @ApiOkResponse({ type: ContractDto, description: 'The contract.' })
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<ContractDto> {
    return ContractDto.from(await this.contracts.get(caller.subtree, id));
  }
}

import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PANEL } from '../services/route-area.js';
import type { AcceptedServiceDto } from '../services/service.dto.js';
import { DeployTemplateDto } from './deploy-template.dto.js';
import type { TemplateDto, TemplateListDto } from './template.dto.js';
import { TemplateRequests } from './template-requests.js';
import { DeployTemplate, GetTemplate, ListTemplates } from './template-routes.js';

@ApiTags('Templates')
@Controller('api/v1/templates')
export class TemplatesController {
  constructor(
    private readonly requests: TemplateRequests,
    private readonly scope: CallerScope,
  ) {}

  @ListTemplates(PANEL)
  list(): TemplateListDto {
    return this.requests.list();
  }

  @GetTemplate(PANEL)
  get(@Param('id', PathId) id: Uuid): TemplateDto {
    return this.requests.get(id);
  }

  @DeployTemplate(PANEL)
  async deploy(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: DeployTemplateDto,
  ): Promise<AcceptedServiceDto> {
    const customerId = await this.scope.customerOf(caller, DeployTemplateDto.customer(body));
    return this.requests.deploy(caller, id, body, customerId);
  }
}

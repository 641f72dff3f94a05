import { Body, Param } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PORTAL } from '../services/route-area.js';
import type { AcceptedServiceDto } from '../services/service.dto.js';
import { DeployOwnTemplateDto } from '../templates/deploy-template.dto.js';
import type { TemplateDto, TemplateListDto } from '../templates/template.dto.js';
import { TemplateRequests } from '../templates/template-requests.js';
import { DeployTemplate, GetTemplate, ListTemplates } from '../templates/template-routes.js';
import { PortalController } from './portal-controller.decorator.js';

/** The templates for customers, within the quota of their organisation. */
@PortalController('templates')
export class PortalTemplatesController {
  constructor(
    private readonly requests: TemplateRequests,
    private readonly scope: CallerScope,
  ) {}

  @ListTemplates(PORTAL)
  list(@CurrentCaller() caller: Caller): TemplateListDto {
    this.scope.home(caller);
    return this.requests.list();
  }

  @GetTemplate(PORTAL)
  get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): TemplateDto {
    this.scope.home(caller);
    return this.requests.get(id);
  }

  @DeployTemplate(PORTAL)
  async deploy(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: DeployOwnTemplateDto,
  ): Promise<AcceptedServiceDto> {
    return this.requests.deploy(caller, id, body, this.scope.home(caller));
  }
}

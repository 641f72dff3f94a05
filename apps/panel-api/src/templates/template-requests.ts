import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { actorOf, type Caller } from '#libs/panel-auth';
import { TemplateIntake } from '#libs/services';
import { type Template, TemplateCatalog } from '#libs/templates';
import { ComposeSourceDto } from '../services/create-service.dto.js';
import type { AcceptedServiceDto } from '../services/service.dto.js';
import type { DeployOwnTemplateDto } from './deploy-template.dto.js';
import { TemplateDto, type TemplateListDto } from './template.dto.js';

/** What the template routes of both areas do. */
@Injectable()
export class TemplateRequests {
  constructor(
    private readonly catalog: TemplateCatalog,
    private readonly intake: TemplateIntake,
  ) {}

  list(): TemplateListDto {
    return { data: this.catalog.list().map((template) => this.view(template)) };
  }

  get(id: Uuid): TemplateDto {
    const template = this.catalog.get(id);
    if (!template) throw new NotFound();
    return this.view(template);
  }

  /** @param customerId the organisation that the service will belong to */
  deploy(
    caller: Caller,
    id: Uuid,
    { name, description = null, variables, resourceLimits }: DeployOwnTemplateDto,
    customerId: Uuid | null,
  ): Promise<AcceptedServiceDto> {
    const request = {
      name,
      description,
      customerId,
      variables: ComposeSourceDto.values({ variables }),
      resourceLimits: ComposeSourceDto.givenLimits(resourceLimits ?? {}),
    };
    return this.intake.deploy(id, request, actorOf(caller));
  }

  private view(template: Template): TemplateDto {
    return TemplateDto.of(template, this.catalog.referenceOf(this.catalog.imageOf(template)));
  }
}

import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TemplateCatalog } from '#libs/templates';
import { parseImageReference } from '../../domain/compose/values/image-reference.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import { EngineUnavailable } from '../ports/engine/container-runtime-errors.js';
import { ContainerRuntime } from '../ports/engine/container-runtime.js';
import { ServiceRecords } from '../service-records.js';
import { refusalOf } from './template-gate.js';
import { TemplateSource } from './template-source.js';

/** Checks whether the image of a database may use its existing data. */
@Injectable()
export class TemplateVersions {
  constructor(
    private readonly source: TemplateSource,
    private readonly catalog: TemplateCatalog,
    private readonly runtime: ContainerRuntime,
    private readonly records: ServiceRecords,
  ) {}

  /**
   * Checks the image that the engine has now. The deployment checks again, since the registry may have a newer one.
   * @throws Conflict `version_downgrade`, `major_upgrade_unsupported`
   */
  async assertRedeployable(scope: OrganisationScope, serviceId: Uuid): Promise<void> {
    const service = await this.records.services.get(scope, serviceId);
    const known = service && (await this.source.find(service.state));
    const image = known && parseImageReference(this.catalog.referenceOf(known.service.image));
    if (!image) return;
    const standing = await this.runtime.inspectImage(image).catch((error: unknown) => {
      if (error instanceof EngineUnavailable) return null;
      throw error;
    });
    const refusal = refusalOf(known, standing);
    if (refusal) throw refusal;
  }
}

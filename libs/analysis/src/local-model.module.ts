import { Module, type DynamicModule } from '@nestjs/common';
import { LocalModel } from './application/local-model.js';
import { ModelReadiness } from './application/ports/model-readiness.js';
import { HttpModelReadiness } from './infrastructure/model/http-model-readiness.js';

/** The bundled model. Usable in processes without a queue. */
@Module({})
export class LocalModelModule {
  /** @param services the module of services, which runs it */
  static forRoot(services: DynamicModule): DynamicModule {
    return {
      module: LocalModelModule,
      imports: [services],
      providers: [LocalModel, { provide: ModelReadiness, useClass: HttpModelReadiness }],
      exports: [LocalModel],
    };
  }
}

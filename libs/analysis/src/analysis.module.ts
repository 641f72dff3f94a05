import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Analyses } from './application/analyses.js';
import { AnalysisJournal } from './application/analysis-journal.js';
import { AnalysisRunner } from './application/analysis-runner.js';
import { AnalysisTurns } from './application/analysis-turns.js';
import { BuildResult } from './application/build-result.js';
import { ForgottenAnalyses } from './application/forgotten-analyses.js';
import { ModelQuestions } from './application/model-questions.js';
import { AnalysisEvents } from './application/ports/analysis-events.js';
import { AnalysisFigures } from './application/ports/analysis-figures.js';
import { AnalysisQueue } from './application/ports/analysis-queue.js';
import { AnalysisRepository } from './application/ports/analysis-repository.js';
import { ModelClient } from './application/ports/model-client.js';
import { ModelProviders, type ModelProvider } from './application/ports/model-provider.js';
import { TemplateCatalog } from './application/ports/template-catalog.js';
import { TokenLedger } from './application/ports/token-ledger.js';
import { AnalysisSettings } from './application/settings.js';
import { LocalModel } from './application/local-model.js';
import { LocalModelModule } from './local-model.module.js';
import { TokenBudget } from './application/token-budget.js';
import { DatabaseTemplates } from './infrastructure/database-templates.js';
import { AvailableProvider } from './infrastructure/model/available-provider.js';
import { OpenAiModelClient } from './infrastructure/model/openai-model-client.js';
import { PrometheusFigures } from './infrastructure/prometheus-figures.js';
import { ANALYSES_QUEUE, BullmqAnalysisQueue } from './infrastructure/queue/bullmq-analysis-queue.js';
import { SqlAnalysisEvents } from './infrastructure/sql/sql-analysis-events.js';
import { SqlAnalysisRepository } from './infrastructure/sql/sql-analysis-repository.js';
import { SqlTokenLedger } from './infrastructure/sql/sql-token-ledger.js';

export interface AnalysisOptions {
  readonly settings: AnalysisSettings;
  readonly provider: ModelProvider | null;
  /** The module of services, which clones repositories and plans compose files. */
  readonly services: DynamicModule;
  /** The registry of the metrics; omitted in a process without metrics. */
  readonly registry?: Registry;
}

const adapters: Provider[] = [
  { provide: AnalysisRepository, useClass: SqlAnalysisRepository },
  { provide: AnalysisEvents, useClass: SqlAnalysisEvents },
  { provide: TokenLedger, useClass: SqlTokenLedger },
  { provide: AnalysisQueue, useClass: BullmqAnalysisQueue },
  { provide: ModelClient, useClass: OpenAiModelClient },
  { provide: TemplateCatalog, useClass: DatabaseTemplates },
];

const parts: Provider[] = [AnalysisJournal, AnalysisTurns, BuildResult, ModelQuestions, TokenBudget];
const services = [Analyses, AnalysisRunner, ForgottenAnalyses];

/** Needs the database and the queue, which are global. */
@Module({})
export class AnalysisModule {
  static forRoot({ settings, provider, services: servicesModule, registry }: AnalysisOptions): DynamicModule {
    return {
      module: AnalysisModule,
      imports: [
        servicesModule,
        LocalModelModule.forRoot(servicesModule),
        BullModule.registerQueue({ name: ANALYSES_QUEUE }),
      ],
      providers: [
        { provide: AnalysisSettings, useValue: settings },
        {
          provide: ModelProviders,
          inject: [LocalModel],
          useFactory: (local: LocalModel) => new AvailableProvider(provider, local),
        },
        { provide: AnalysisFigures, useValue: new PrometheusFigures(registry ?? new Registry()) },
        ...adapters,
        ...parts,
        ...services,
      ],
      exports: [...services, AnalysisEvents],
    };
  }
}

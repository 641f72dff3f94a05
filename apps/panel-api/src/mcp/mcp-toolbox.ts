import { Injectable } from '@nestjs/common';
import { LogPages, OrganisationQuotas, ServiceIntake, ServiceQueries, WatchTargets } from '#libs/services';
import { AnalysisRequests } from '../analysis/analysis-requests.js';
import { BackupRequests } from '../backups/backup-requests.js';
import { MonitoringRequests } from '../monitoring/monitoring-requests.js';
import { ServiceRequests } from '../services/service-requests.js';
import { TemplateRequests } from '../templates/template-requests.js';
import type { McpAccess } from './access/mcp-access.js';
import { ChangeDesk } from './changes/change-desk.js';
import { TemplateChange } from './changes/template-change.js';
import { RestBody } from './changes/rest-body.js';
import { LogRedaction } from './output/log-redaction.js';
import { analysisTools } from './tools/analysis-tools.js';
import { backupTools } from './tools/backup-tools.js';
import { changeTools } from './tools/change-tools.js';
import { composeTools } from './tools/compose-tools.js';
import { controlTools } from './tools/control-tools.js';
import { deploymentTools } from './tools/deployment-tools.js';
import { listTools } from './tools/list-tools.js';
import { logTools } from './tools/logs/log-tools.js';
import { monitoringTools } from './tools/monitoring-tools.js';
import { overviewTools } from './tools/overview-tools.js';
import { serviceTools } from './tools/service-tools.js';
import { templateTools } from './tools/template-tools.js';
import type { OfferedTool } from './tools/tool.js';

/** All tools. A caller is offered only those that it may use. */
@Injectable()
export class McpToolbox {
  readonly tools: readonly OfferedTool[];

  constructor(
    services: ServiceRequests,
    monitoring: MonitoringRequests,
    queries: ServiceQueries,
    quotas: OrganisationQuotas,
    intake: ServiceIntake,
    logs: LogPages,
    targets: WatchTargets,
    redactions: LogRedaction,
    bodies: RestBody,
    desk: ChangeDesk,
    analyses: AnalysisRequests,
    templates: TemplateRequests,
    templateChange: TemplateChange,
    backups: BackupRequests,
  ) {
    this.tools = [
      ...overviewTools(queries, quotas),
      ...listTools(services),
      ...serviceTools(services),
      ...deploymentTools(services, redactions),
      ...logTools(logs, targets, redactions),
      ...monitoringTools(monitoring, redactions),
      ...templateTools(templates, templateChange),
      ...composeTools(intake, bodies),
      ...changeTools(desk),
      ...controlTools(services),
      ...analysisTools(analyses),
      ...backupTools(backups),
    ];
  }

  for(access: McpAccess): readonly OfferedTool[] {
    return this.tools.filter(({ anyOf }) => access.hasAnyOf(anyOf));
  }
}

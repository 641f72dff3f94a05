import type { Provider, Type } from '@nestjs/common';
import { ChangePlans } from '#libs/automation';
import { ContainerLogs, ContainerRuntime, DeploymentLog, LogPages, ServiceQueries } from '#libs/services';
import { McpAccesses } from './access/mcp-accesses.js';
import { McpOrigins } from './access/mcp-origins.js';
import { ChangeDesk } from './changes/change-desk.js';
import { ComposeChange } from './changes/compose-change.js';
import { GitChange } from './changes/git-change.js';
import type { PlannedChange } from './changes/planned-change.js';
import { QuotaAfter } from './changes/quota-after.js';
import { RestBody } from './changes/rest-body.js';
import { RestoreChange } from './changes/restore-change.js';
import { TemplateChange } from './changes/template-change.js';
import { UpdateChange } from './changes/update-change.js';
import { McpController } from './mcp.controller.js';
import { McpServers } from './mcp-servers.js';
import { McpToolbox } from './mcp-toolbox.js';
import { LogRedaction } from './output/log-redaction.js';

export const MCP_CONTROLLERS: Type[] = [McpController];

/** @param origins the origins whose pages may call; clients other than browsers send no origin */
export function mcpProviders(panelUrl: string, origins: readonly string[]): Provider[] {
  return [
    { provide: McpOrigins, useValue: new McpOrigins(new URL(panelUrl), new Set(origins)) },
    ...[
      McpAccesses,
      McpServers,
      McpToolbox,
      LogRedaction,
      RestBody,
      QuotaAfter,
      ComposeChange,
      TemplateChange,
      UpdateChange,
      GitChange,
      RestoreChange,
    ],
    {
      provide: LogPages,
      inject: [ContainerLogs, ContainerRuntime, ServiceQueries, DeploymentLog],
      useFactory: (logs: ContainerLogs, runtime: ContainerRuntime, queries: ServiceQueries, kept: DeploymentLog) =>
        new LogPages(logs, runtime, queries, kept),
    },
    {
      provide: ChangeDesk,
      inject: [ChangePlans, ComposeChange, TemplateChange, UpdateChange, GitChange, RestoreChange],
      useFactory: (plans: ChangePlans, ...changes: PlannedChange[]) => new ChangeDesk(changes, plans),
    },
  ];
}

import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import {
  DeploymentLog,
  type DeploymentLogLine,
  type LogSlice,
  type NewLogLine,
} from '../../application/ports/deployment-log.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import { appendDeploymentLog } from '../realtime/feed-sql.js';
import { inScope, scopeIds } from './service-columns.js';

/** The beginning and the end are kept, the middle is dropped. */
const KEPT_BYTES = 128 * 1024;
const MAX_LINE_LENGTH = 4_096;

/** Written by hand, because lines are numbered, announced and trimmed in sets. */
@Injectable()
export class SqlDeploymentLog extends DeploymentLog {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly clock: Clock,
  ) {
    super();
  }

  async append(deploymentId: Uuid, lines: readonly NewLogLine[]): Promise<void> {
    if (lines.length === 0) return;
    const { writer } = this.transactions;
    await writer.query(
      `with added as (
         insert into services.deployment_log (deployment_id, n, at, step, source, container, text)
         select $1, (select coalesce(max(n), 0) from services.deployment_log where deployment_id = $1) + l.position,
                l.at, l.step, l.source, l.container, l.text
           from rows from (jsonb_to_recordset($2::jsonb) as ("at" timestamptz, "step" text, "source" text,
                           "container" text, "text" text))
                with ordinality as l (at, step, source, container, text, position)
         returning n, at, step, source, container, text)
       ${appendDeploymentLog('$1::uuid', '$3::timestamptz')}`,
      [deploymentId, JSON.stringify(lines.map(storable)), this.clock.now()],
    );
    await writer.query(
      `delete from services.deployment_log l using (
         select n, sum(octet_length(text)) over (order by n) as before,
                sum(octet_length(text)) over (order by n desc) as after
           from services.deployment_log where deployment_id = $1) size
        where l.deployment_id = $1 and l.n = size.n and size.before > $2 and size.after > $2`,
      [deploymentId, KEPT_BYTES],
    );
  }

  async read(
    scope: OrganisationScope,
    deploymentId: Uuid,
    { since, tail }: LogSlice,
  ): Promise<readonly DeploymentLogLine[] | null> {
    const { reader } = this.transactions;
    const [known]: unknown[] = await reader.query(
      `select 1 from services.deployments d join services.services s on s.id = d.service_id
        where d.id = $1 and not s.hidden and ${inScope('$2')}`,
      [deploymentId, scopeIds(scope)],
    );
    if (!known) return null;
    const rows: DeploymentLogLine[] = await reader.query(
      `select n, at, step, source, container, text from services.deployment_log
        where deployment_id = $1 and n > $2 order by n desc limit $3`,
      [deploymentId, since, tail],
    );
    return rows.reverse();
  }
}

/** PostgreSQL cannot store NUL or half of a surrogate pair. */
function storable(line: NewLogLine): NewLogLine {
  return { ...line, text: line.text.slice(0, MAX_LINE_LENGTH).replaceAll('\0', '').toWellFormed() };
}

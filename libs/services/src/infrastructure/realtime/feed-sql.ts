import { shownStatus } from '../sql/service-columns.js';

/** What is appended in the same statement as the change: nobody can make the one and forget the other. */
const FEED_COLUMNS = 'services.feed (type, service_id, customer_id, deployment_id, data, at)';

/** A service that `changed` (id, customer_id, hidden, status, at) now has the status of. @param where of the change */
export const appendServiceStatus = (where = 'true'): string =>
  `insert into ${FEED_COLUMNS}
   select 'service.status', c.id, c.customer_id, null, jsonb_build_object('serviceId', c.id, 'status', ${shownStatus('c')}), c.at
     from changed c where not c.hidden and ${where}`;

/** The service `gone` (id, customer_id, hidden) was removed. @param at parameter with the time */
export const appendServiceRemoved = (at: string): string =>
  `insert into ${FEED_COLUMNS}
   select 'service.removed', g.id, g.customer_id, null, jsonb_build_object('serviceId', g.id), ${at}
     from gone g where not g.hidden`;

const DEPLOYMENT_STATUS = `jsonb_build_object('deploymentId', c.id, 'serviceId', c.service_id, 'trigger', c.trigger,
  'status', c.status, 'errorMessage', c.error_message, 'reverted', c.reverted)`;

/** The deployment `changed` (all of its columns) was made. @param at parameter with the time */
export const appendDeploymentMade = (at: string): string =>
  `insert into ${FEED_COLUMNS}
   select 'deployment.status', c.service_id, s.customer_id, c.id, ${DEPLOYMENT_STATUS}, ${at}
     from changed c join services.services s on s.id = c.service_id and not s.hidden`;

/** The service `born` and its first deployment `changed` (all of their columns) were made. */
export const appendServiceMade = (): string =>
  `insert into ${FEED_COLUMNS}
   select e.type, b.id, b.customer_id, e.deployment_id, e.data, b.created_at
     from born b
    cross join lateral (
      select 1 as n, 'service.status' as type, null::uuid as deployment_id,
             jsonb_build_object('serviceId', b.id, 'status', b.status) as data
      union all
      select 2, 'deployment.status', c.id, ${DEPLOYMENT_STATUS} from changed c
    ) e
    where not b.hidden
    order by e.n`;

/**
 * What is new in the deployment `changed` against `before` (its row as it was): steps first, since a deployment ends
 * after its last step. @param at parameter with the time
 */
export const appendDeploymentChange = (at: string): string =>
  `insert into ${FEED_COLUMNS}
   select e.type, c.service_id, s.customer_id, c.id, e.data, ${at}
     from changed c
     join before b on b.id = c.id
     join services.services s on s.id = c.service_id and not s.hidden
    cross join lateral (
      select 'deployment.step' as type, t.n,
             t.step || jsonb_build_object('deploymentId', c.id, 'serviceId', c.service_id) as data
        from jsonb_array_elements(c.steps) with ordinality as t (step, n)
       where not b.steps @> jsonb_build_array(t.step)
      union all
      select 'deployment.status', null, ${DEPLOYMENT_STATUS} where b.status <> c.status
    ) e
    order by e.n nulls last`;

/** Lines of a deployment `added` (n, at, step, source, container, text). @param id, at parameters */
export const appendDeploymentLog = (id: string, at: string): string =>
  `insert into ${FEED_COLUMNS}
   select 'deployment.log', s.id, s.customer_id, d.id,
          jsonb_build_object('deploymentId', d.id, 'serviceId', s.id, 'lines',
            (select jsonb_agg(jsonb_build_object('n', a.n, 'at', a.at, 'step', a.step, 'source', a.source,
                                                 'container', a.container, 'text', a.text) order by a.n) from added a)),
          ${at}
     from services.deployments d join services.services s on s.id = d.service_id and not s.hidden
    where d.id = ${id}`;

import type { MigrationInterface, QueryRunner } from 'typeorm';

const TRIGGERS = `'create', 'update', 'redeploy', 'start', 'stop', 'restart', 'suspend', 'unsuspend', 'git', 'push',
  'template', 'analysis', 'rollback', 'restore', 'clone', 'reconcile', 'remove'`;
const TRIGGERS_BEFORE = `'create', 'redeploy', 'start', 'stop', 'restart', 'suspend', 'unsuspend', 'git', 'template',
  'analysis', 'rollback', 'reconcile', 'remove'`;

/** Services that can be changed, and deployments that say why they failed. */
export class ServiceVersions1767225740000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table services.deployments drop constraint deployments_trigger_check;
      alter table services.deployments
        add constraint deployments_trigger_check check (trigger in (${TRIGGERS})),
        add column strategy text check (strategy in ('start-first', 'stop-first')),
        add column commit_sha text;

      -- Why a service failed, or was stopped by the panel itself: {code, message, deploymentId, at}.
      alter table services.services add column status_reason jsonb;

      -- The limits of a version; its specification is sealed.
      alter table services.specs
        add column cpu_cores double precision check (cpu_cores > 0),
        add column memory_mb bigint check (memory_mb > 0),
        add column disk_mb bigint check (disk_mb > 0);
      update services.specs p set cpu_cores = s.cpu_cores, memory_mb = s.memory_mb, disk_mb = s.disk_mb
        from services.services s where s.id = p.service_id;
      alter table services.specs
        alter column cpu_cores set not null, alter column memory_mb set not null, alter column disk_mb set not null;

      -- The log of a deployment. Lines are appended; if it grows too long, the middle is deleted.
      create table services.deployment_log (
        deployment_id uuid        not null references services.deployments (id) on delete cascade,
        -- Line number within the deployment, from 1; a jump means deleted lines.
        n             integer     not null check (n > 0),
        at            timestamptz not null,
        step          text        not null,
        source        text        not null check (source in ('panel', 'container', 'probe', 'build')),
        container     text,
        text          text        not null,
        primary key (deployment_id, n)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table services.deployment_log;
      alter table services.specs drop column cpu_cores, drop column memory_mb, drop column disk_mb;
      alter table services.services drop column status_reason;
      delete from services.deployments where trigger in ('update', 'push', 'restore', 'clone');
      alter table services.deployments drop column strategy, drop column commit_sha,
        drop constraint deployments_trigger_check;
      alter table services.deployments
        add constraint deployments_trigger_check check (trigger in (${TRIGGERS_BEFORE}));
    `);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OrganisationQuotas1767225733000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What all services of an organisation and of those below it may have together; null is no limit of its own.
      create table services.organisation_quotas (
        organisation_id uuid             primary key references panel_auth.organisations (id),
        services        integer          check (services >= 0),
        cpu_cores       double precision check (cpu_cores >= 0),
        memory_mb       bigint           check (memory_mb >= 0),
        disk_mb         bigint           check (disk_mb >= 0),
        updated_at      timestamptz      not null
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table services.organisation_quotas');
  }
}

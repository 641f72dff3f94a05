import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WholeWrites1767225735000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- For statements that write for many at once and are committed before their answers are read: what they miss is an
      -- error, not a missing row. Stable, so that it is asked once and before any row.
      create function platform.all_of(met bigint, asked bigint) returns boolean stable language plpgsql as $$
      begin
        if met <> asked then
          raise exception '% of % are as they were read', met, asked using errcode = 'TN001';
        end if;
        return true;
      end $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function platform.all_of');
  }
}

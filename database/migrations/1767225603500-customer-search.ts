import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Parts of words in what a customer list is searched by. A part of one or two characters has no trigram to be found by. */
export class CustomerSearch1767225603500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create extension if not exists pg_trgm;
      create index customers_words on customers.customers
        using gin (name gin_trgm_ops, legal_name gin_trgm_ops, email gin_trgm_ops, external_ref gin_trgm_ops)
        where deleted_at is null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index customers.customers_words');
  }
}

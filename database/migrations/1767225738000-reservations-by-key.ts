import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Reservations are few, live for as long as the license service takes, and are found by their license or counted by
 * their contract. Two more indexes were written twice for each license: one by the customer, asked for only when one is
 * deleted, and one that keeps the license service's ids apart, as that of the licenses does.
 */
export class ReservationsByKey1767225738000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index licensing.reservations_customer');
    await runner.query('alter table licensing.reservations drop constraint reservations_upstream_license_id_key');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table licensing.reservations add unique (upstream_license_id)');
    await runner.query('create index reservations_customer on licensing.reservations (customer_id)');
  }
}

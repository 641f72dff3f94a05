import type { MigrationInterface, QueryRunner } from 'typeorm';

const REFERENCES = ['customer', 'contract'] as const;

/**
 * A reservation lives for as long as the license service takes, and its license says the same of customer and contract
 * afterwards. A reference locks both rows, for the reservation and once again for the license, which costs a seventh of
 * the licenses a second over Keygen. Whoever reserves holds the customer and has read the contract; nothing deletes
 * either row, and without them there would be no license.
 */
export class LeanReservations1767225737000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const name of REFERENCES)
      await runner.query(`alter table licensing.reservations drop constraint reservations_${name}_fkey`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = { customer: 'customers.customers', contract: 'billing.contracts' };
    for (const name of REFERENCES)
      await runner.query(`
        alter table licensing.reservations add constraint reservations_${name}_fkey
          foreign key (${name}_id, partner_id) references ${tables[name]} (id, partner_id)`);
  }
}

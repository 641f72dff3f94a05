import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What says what the license will be. */
const TERMS = [
  'number',
  'partner_id',
  'customer_id',
  'contract_id',
  'edition',
  'state',
  'draws_from_pack',
  'external_billing_ref',
];

/**
 * Reservations are also made in advance, before anybody asks for a license: they say where a key may come to be, and
 * nothing of the license. Those that were undone are looked at once more. Rolling back refuses while there are any: the reconciler undoes them.
 */
export class SpareReservations1767225739000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table licensing.reservations
        ${TERMS.map((column) => `alter column ${column} drop not null`).join(', ')},
        add column undone_at timestamptz,
        add constraint reservations_spare_or_whole check (num_nulls(${TERMS.join(', ')}) in (0, ${TERMS.length}));
      comment on table licensing.reservations is
        'Where a key may exist at the license service that no license has; spare ones say nothing of a license yet';
      comment on column licensing.reservations.undone_at is
        'When its key was revoked, if there was one: a call that was still on its way may have made one since';
      drop index licensing.reservations_contract;
      create index reservations_contract on licensing.reservations (contract_id) where contract_id is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index licensing.reservations_contract;
      create index reservations_contract on licensing.reservations (contract_id);
      comment on table licensing.reservations is null;
      alter table licensing.reservations
        drop constraint reservations_spare_or_whole,
        drop column undone_at,
        ${TERMS.map((column) => `alter column ${column} set not null`).join(', ')}`);
  }
}

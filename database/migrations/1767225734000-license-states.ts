import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LicenseStates1767225734000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What most licenses are is found by walking the list; this is for what few are. An index of licensing.licenses
      -- over the state would do the same, but a license could then not change its state without a new entry in each of
      -- the table's ten indexes.
      create table licensing.unlike_active (
        state      text        not null,
        issued_at  timestamptz not null,
        license_id uuid        not null,
        -- Of a trial.
        ends_on    date,
        primary key (state, issued_at, license_id)
      );
      create index unlike_active_trial_end on licensing.unlike_active (ends_on) where ends_on is not null;

      create function licensing.note_state() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and old.state <> 'active' then
          delete from licensing.unlike_active
           where state = old.state and issued_at = old.issued_at and license_id = old.id;
        end if;
        if new.state <> 'active' then
          insert into licensing.unlike_active (state, issued_at, license_id, ends_on)
          values (new.state, new.issued_at, new.id, case new.state when 'trial' then new.expires_on end);
        end if;
        return null;
      end $$;
      create trigger note_state after insert on licensing.licenses
        for each row when (new.state <> 'active') execute function licensing.note_state();
      create trigger note_change after update of state, expires_on, issued_at on licensing.licenses
        for each row when ((old.state, old.expires_on, old.issued_at) is distinct from
                           (new.state, new.expires_on, new.issued_at))
        execute function licensing.note_state();

      insert into licensing.unlike_active (state, issued_at, license_id, ends_on)
      select state, issued_at, id, case state when 'trial' then expires_on end
        from licensing.licenses where state <> 'active';

      drop index licensing.licenses_state;
      drop index licensing.licenses_trial_end;
      -- Room for the next version of a license beside the last one, where no index has to learn of it.
      alter table licensing.licenses set (fillfactor = 85);
      alter table license_service.licenses set (fillfactor = 85);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table license_service.licenses reset (fillfactor);
      alter table licensing.licenses reset (fillfactor);
      create index licenses_state on licensing.licenses (state, issued_at desc, id desc) where state <> 'active';
      create index licenses_trial_end on licensing.licenses (expires_on) where state = 'trial';
      drop trigger note_change on licensing.licenses;
      drop trigger note_state on licensing.licenses;
      drop function licensing.note_state;
      drop table licensing.unlike_active;
    `);
  }
}

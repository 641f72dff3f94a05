import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PanelAuth1767225720000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema panel_auth;

      create table panel_auth.users (
        id          uuid        primary key,
        email       text        not null check (email = lower(email) and email <> ''),
        role        text        not null check (role in ('admin', 'customer')),
        issuer      text,
        subject     text,
        disabled_at timestamptz,
        created_at  timestamptz not null,
        check ((issuer is null) = (subject is null)),
        constraint users_identity unique (issuer, subject)
      );
      -- Signed-in users may share an address over time; a user created by staff has an address of its own.
      create unique index users_awaited_email on panel_auth.users (email) where issuer is null;
      create index users_email on panel_auth.users (email);

      create table panel_auth.organisations (
        id         uuid        primary key,
        name       text        not null check (name <> ''),
        parent_id  uuid        references panel_auth.organisations (id),
        created_at timestamptz not null,
        check (parent_id <> id)
      );
      create index organisations_parent on panel_auth.organisations (parent_id);

      -- Every (ancestor, descendant) pair, each organisation with itself at depth 0.
      create table panel_auth.organisation_subtrees (
        ancestor_id   uuid     not null references panel_auth.organisations (id),
        descendant_id uuid     not null references panel_auth.organisations (id),
        depth         smallint not null check (depth >= 0),
        primary key (ancestor_id, descendant_id)
      );
      create index organisation_subtrees_descendant on panel_auth.organisation_subtrees (descendant_id, depth);

      create table panel_auth.memberships (
        user_id         uuid        not null references panel_auth.users (id),
        organisation_id uuid        not null references panel_auth.organisations (id),
        role            text        not null check (role in ('admin', 'customer')),
        permissions     text[],
        created_at      timestamptz not null,
        primary key (user_id, organisation_id)
      );
      create index memberships_organisation on panel_auth.memberships (organisation_id);

      create table panel_auth.api_keys (
        id                 uuid        primary key,
        creator_id         uuid        not null references panel_auth.users (id),
        organisation_id    uuid        references panel_auth.organisations (id),
        name               text        not null check (name <> ''),
        description        text,
        prefix             text        not null,
        key_hash           bytea       not null unique check (length(key_hash) = 32),
        role               text        not null check (role in ('admin', 'customer')),
        scopes             text[],
        permissions_deny   text[]      not null,
        rate_limit_rpm     integer     not null check (rate_limit_rpm > 0),
        is_service_account boolean     not null,
        created_at         timestamptz not null,
        last_used_at       timestamptz,
        expires_at         timestamptz,
        revoked_at         timestamptz
      );
      create index api_keys_creator on panel_auth.api_keys (creator_id, created_at desc, id desc);
      create index api_keys_organisation on panel_auth.api_keys (organisation_id) where revoked_at is null;

      create table panel_auth.sessions (
        id            uuid        primary key,
        user_id       uuid        not null references panel_auth.users (id),
        cookie_hash   bytea       not null unique check (length(cookie_hash) = 32),
        binding_hash  bytea       check (length(binding_hash) = 32),
        sealed_tokens bytea,
        user_agent    text,
        created_at    timestamptz not null,
        expires_at    timestamptz not null
      );
      create index sessions_user on panel_auth.sessions (user_id, created_at desc);
      create index sessions_expiry on panel_auth.sessions (expires_at);

      -- Sign-ins that came back from the identity provider: each state is accepted once.
      create table panel_auth.used_sign_ins (
        state_hash bytea       primary key check (length(state_hash) = 32),
        expires_at timestamptz not null
      );
      create index used_sign_ins_expiry on panel_auth.used_sign_ins (expires_at);

      create table panel_auth.organisation_secrets (
        id              uuid        primary key,
        organisation_id uuid        not null references panel_auth.organisations (id),
        name            text        not null,
        sealed_value    bytea       not null,
        created_at      timestamptz not null,
        updated_at      timestamptz not null,
        constraint organisation_secrets_name unique (organisation_id, name)
      );

      create table panel_auth.legacy_passwords (
        user_id uuid primary key references panel_auth.users (id),
        hash    text not null
      );

      create table panel_auth.legacy_tokens (
        token_hash bytea       primary key check (length(token_hash) = 32),
        user_id    uuid        not null references panel_auth.users (id),
        expires_at timestamptz not null
      );

      -- No foreign keys: the log outlives the records it mentions.
      create table panel_auth.audit_log (
        seq             bigint      generated always as identity primary key,
        id              uuid        not null unique,
        at              timestamptz not null,
        action          text        not null,
        user_id         uuid,
        api_key_id      uuid,
        organisation_id uuid,
        target          text,
        detail          jsonb       not null
      );
      create index audit_log_user on panel_auth.audit_log (user_id, seq desc);
      create index audit_log_organisation on panel_auth.audit_log (organisation_id, seq desc);
      create index audit_log_action on panel_auth.audit_log (action, seq desc);

      create function panel_auth.refuse_change() returns trigger language plpgsql as $$
        begin
          raise exception 'the audit log is only ever added to' using errcode = '42501';
        end
      $$;
      create trigger audit_log_append_only before update or delete or truncate on panel_auth.audit_log
        for each statement execute function panel_auth.refuse_change();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema panel_auth cascade');
  }
}

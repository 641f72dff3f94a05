import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE_STATUS = `'pending', 'deploying', 'running', 'starting', 'stopping', 'stopped', 'restarting', 'suspended',
  'removing', 'error'`;
const TRIGGER = `'create', 'redeploy', 'start', 'stop', 'restart', 'suspend', 'unsuspend', 'git', 'template', 'analysis',
  'rollback', 'reconcile', 'remove'`;

export class Services1767225730000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SERVICES);
    await runner.query(FEED);
    await runner.query(MONITORING);
    await runner.query(QUOTAS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema services cascade');
  }
}

const SERVICES = `
  create schema services;

  create table services.services (
    id                    uuid             primary key,
    customer_id           uuid             references panel_auth.organisations (id),
    name                  text             not null check (name <> ''),
    description           text,
    deployment_type       text             not null check (deployment_type in ('compose', 'git', 'template')),
    template_name         text,
    -- Infrastructure of the panel itself, shown in no list.
    hidden                boolean          not null default false,
    status                text             not null check (status in (${SERVICE_STATUS})),
    settled_status        text             check (settled_status in ('running', 'stopped', 'suspended', 'error')),
    desired_state         text             not null check (desired_state in ('running', 'stopped')),
    suspended             boolean          not null default false,
    locked                boolean          not null default false,
    cpu_cores             double precision not null check (cpu_cores > 0),
    memory_mb             bigint           not null check (memory_mb > 0),
    disk_mb               bigint           not null check (disk_mb > 0),
    spec_version          integer          not null check (spec_version > 0),
    current_deployment_id uuid,
    container_ids         text[]           not null default '{}',
    network_id            text,
    port_mappings         jsonb            not null default '[]',
    endings               timestamptz[]    not null default '{}',
    started_at            timestamptz,
    created_at            timestamptz      not null,
    updated_at            timestamptz      not null,
    -- The lease on the service. The number increases with every lease, to recognise earlier holders.
    lease_token           bigint           not null default 0,
    lease_expires_at      timestamptz,
    constraint services_name unique nulls not distinct (customer_id, name)
  );
  create index services_customer on services.services (customer_id, created_at desc, id desc);
  create index services_newest on services.services (created_at desc, id desc);

  create table services.specs (
    service_id uuid        not null references services.services (id) on delete cascade,
    version    integer     not null check (version > 0),
    sealed     bytea       not null,
    created_at timestamptz not null,
    primary key (service_id, version)
  );

  -- While a deployment waits, its row is the job: jobs lost by the queue are sent again from here.
  create table services.deployments (
    id                   uuid        primary key,
    service_id           uuid        not null references services.services (id) on delete cascade,
    trigger              text        not null check (trigger in (${TRIGGER})),
    status               text        not null check (status in
                           ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'superseded')),
    user_id              uuid,
    api_key_id           uuid,
    spec_version         integer     not null,
    source_deployment_id uuid,
    error_message        text,
    reverted             boolean     not null default false,
    steps                jsonb       not null default '[]',
    topology             jsonb,
    attempts             integer     not null default 0,
    cancel_requested     boolean     not null default false,
    committed_at         timestamptz,
    proven_at            timestamptz,
    created_at           timestamptz not null,
    started_at           timestamptz,
    finished_at          timestamptz,
    check ((finished_at is null) = (status in ('queued', 'running')))
  );
  create unique index deployments_one_running on services.deployments (service_id) where status = 'running';
  create unique index deployments_one_queued on services.deployments (service_id) where status = 'queued';
  create index deployments_unfinished on services.deployments (created_at) where status in ('queued', 'running');
  create index deployments_newest on services.deployments (service_id, created_at desc, id desc);

  create table services.host_ports (
    host_ip    inet     not null,
    host_port  integer  not null check (host_port between 1 and 65535),
    protocol   text     not null check (protocol in ('tcp', 'udp')),
    service_id uuid     not null references services.services (id) on delete cascade,
    constraint host_ports_once primary key (host_ip, host_port, protocol)
  );
  create index host_ports_service on services.host_ports (service_id);
`;

const FEED = `
  -- Numbers are assigned before the commit, so readers wait for missing ones. A row outlives its
  -- service, whose removal is an event too; old rows are deleted.
  create table services.feed (
    seq           bigint      generated always as identity primary key,
    type          text        not null check (type <> ''),
    service_id    uuid        not null,
    customer_id   uuid,
    deployment_id uuid,
    data          jsonb       not null,
    at            timestamptz not null,
    -- By the database's clock; used only for deleting old rows.
    stored_at     timestamptz not null default now()
  );
  create index feed_service on services.feed (service_id, seq);
  create index feed_stored on services.feed using brin (stored_at);
`;

const MONITORING = `
  -- The worker that samples the engine, and whether the engine answered. By the database's clock.
  create table services.collectors (
    engine           text        primary key,
    holder           uuid        not null,
    lease_expires_at timestamptz not null,
    answers          boolean     not null default false
  ) with (fillfactor = 50);

  -- The tables below have no foreign key to services.services: sampling would lock each service's row. They
  -- are deleted with the service; rows written at that very moment are deleted later.
  -- stored_at uses the database's clock, which all processes share, to decide whether a sample is fresh.
  create table services.metrics_now (
    service_id    uuid             primary key,
    sampled_at    timestamptz      not null,
    stored_at     timestamptz      not null,
    cpu_pct       double precision not null,
    ram_pct       double precision not null,
    current       json             not null,
    containers    json             not null,
    -- Lists of the same length, oldest first, ready for the answer; how long before stored_at each point began, in
    -- seconds, and how many samples it is the average of.
    cpu_spark     json             not null,
    ram_spark     json             not null,
    spark_ages    json             not null,
    spark_samples json             not null
  ) with (fillfactor = 50);

  create table services.metrics_samples (
    service_id uuid             not null,
    at         timestamptz      not null,
    cpu_pct    real             not null,
    ram_pct    real             not null,
    rx_bps     double precision not null,
    tx_bps     double precision not null,
    primary key (service_id, at)
  );

  create table services.metrics_minutes (
    service_id uuid             not null,
    minute     timestamptz      not null,
    samples    integer          not null check (samples > 0),
    cpu_sum    double precision not null,
    ram_sum    double precision not null,
    rx_sum     double precision not null,
    tx_sum     double precision not null,
    primary key (service_id, minute)
  ) with (fillfactor = 80);

  create table services.health (
    service_id      uuid        primary key,
    status          text        not null check (status in ('healthy', 'unhealthy', 'starting', 'none')),
    checked_at      timestamptz not null,
    stored_at       timestamptz not null,
    containers      json        not null,
    attempts        integer     not null default 0,
    last_attempt_at timestamptz,
    next_attempt_at timestamptz,
    unhealthy_looks integer     not null default 0,
    healthy_since   timestamptz
  ) with (fillfactor = 50);

  create table services.disk_usage (
    service_id  uuid        primary key,
    measured_at timestamptz not null,
    stored_at   timestamptz not null,
    total_bytes bigint      not null check (total_bytes >= 0),
    volumes     json        not null,
    containers  json        not null,
    images      json        not null
  );
`;

const QUOTAS = `
  -- Limits for all services of an organisation and those below it together; null means no limit of its own.
  create table services.organisation_quotas (
    organisation_id uuid             primary key references panel_auth.organisations (id),
    services        integer          check (services >= 0),
    cpu_cores       double precision check (cpu_cores >= 0),
    memory_mb       bigint           check (memory_mb >= 0),
    disk_mb         bigint           check (disk_mb >= 0),
    updated_at      timestamptz      not null
  );
`;

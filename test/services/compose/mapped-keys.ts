import type { ContainerPlan } from '../../../libs/services/src/domain/service-plan.js';

const MIB = 1024 ** 2;

/** What stands in the file, and what then stands in the container's plan. */
export const MAPPED: readonly (readonly [string, Partial<ContainerPlan>])[] = [
  ['command: sh -c "echo \'a b\'" c\\ d', { command: ['sh', '-c', "echo 'a b'", 'c d'] }],
  ['command: [a, "b c"]', { command: ['a', 'b c'] }],
  ['command: ""', { command: [] }],
  ['command: null', { command: null }],
  ['entrypoint: []', { entrypoint: [] }],
  ['entrypoint: /init -v', { entrypoint: ['/init', '-v'] }],
  ['restart: on-failure:3', { restart: { name: 'on-failure', maximumRetries: 3 } }],
  ['restart: on-failure', { restart: { name: 'on-failure', maximumRetries: 0 } }],
  ['restart: unless-stopped', { restart: { name: 'unless-stopped', maximumRetries: 0 } }],
  ['stop_grace_period: 1m30s', { stopGraceMs: 90_000 }],
  ['stop_grace_period: 1.5m', { stopGraceMs: 90_000 }],
  ['stop_grace_period: 1m1.25s5ms', { stopGraceMs: 61_255 }],
  ['stop_signal: SIGQUIT', { stopSignal: 'SIGQUIT' }],
  ['stop_signal: 9', { stopSignal: '9' }],
  ['stop_signal: "15"', { stopSignal: '15' }],
  ['stop_signal: sigrtmin+3', { stopSignal: 'sigrtmin+3' }],
  ['init: true', { init: true }],
  ['read_only: "true"', { readOnly: true }],
  ['user: "1000:1000"', { user: '1000:1000' }],
  ['user: 1000', { user: '1000' }],
  ['working_dir: /app', { workingDir: '/app' }],
  ['hostname: box', { hostname: 'box' }],
  ['hostname: kafka_1.box', { hostname: 'kafka_1.box' }],
  ['shm_size: 64m', { shmSizeBytes: 64 * MIB }],
  ['shm_size: 1048576', { shmSizeBytes: MIB }],
  ['tty: true', { tty: true }],
  ['stdin_open: true', { stdinOpen: true }],
  [
    'ulimits: {nofile: {soft: 1024, hard: 4096}, memlock: -1}',
    {
      ulimits: [
        { name: 'nofile', soft: 1024, hard: 4096 },
        { name: 'memlock', soft: -1, hard: -1 },
      ],
    },
  ],
  [
    'extra_hosts: ["a.example:10.1.2.3", "b=[::2]"]',
    {
      extraHosts: [
        { host: 'a.example', ip: '10.1.2.3' },
        { host: 'b', ip: '::2' },
      ],
    },
  ],
  ['extra_hosts: ["my_db:10.1.2.3"]', { extraHosts: [{ host: 'my_db', ip: '10.1.2.3' }] }],
  [
    'extra_hosts: {a: 10.1.2.3, b: [10.1.2.4, "2001:db8::1"]}',
    {
      extraHosts: [
        { host: 'a', ip: '10.1.2.3' },
        { host: 'b', ip: '10.1.2.4' },
        { host: 'b', ip: '2001:db8::1' },
      ],
    },
  ],
  ['dns: 9.9.9.9', { dns: ['9.9.9.9'] }],
  ['dns: [9.9.9.9, "2620:fe::fe"]', { dns: ['9.9.9.9', '2620:fe::fe'] }],
  [
    'labels: {a: 1, b: true, c: }',
    {
      labels: new Map([
        ['a', '1'],
        ['b', 'true'],
        ['c', ''],
      ]),
    },
  ],
  [
    'labels: [a=1, b]',
    {
      labels: new Map([
        ['a', '1'],
        ['b', ''],
      ]),
    },
  ],
  ['group_add: [adm, 1001]', { groupAdd: ['adm', '1001'] }],
  [
    'expose: [3000, "8125/udp"]',
    {
      expose: [
        { port: 3000, protocol: 'tcp' },
        { port: 8125, protocol: 'udp' },
      ],
    },
  ],
  [
    'expose: ["3000-3001"]',
    {
      expose: [
        { port: 3000, protocol: 'tcp' },
        { port: 3001, protocol: 'tcp' },
      ],
    },
  ],
  [
    'ports: ["8080:80", "127.0.0.1:8081:81/UDP"]',
    {
      ports: [
        { hostIp: '127.0.0.1', hostPort: 8080, containerPort: 80, protocol: 'tcp' },
        { hostIp: '127.0.0.1', hostPort: 8081, containerPort: 81, protocol: 'udp' },
      ],
    },
  ],
  [
    'ports: [{target: 80, published: "8080", protocol: udp}]',
    {
      ports: [{ hostIp: '127.0.0.1', hostPort: 8080, containerPort: 80, protocol: 'udp' }],
    },
  ],
  [
    'cap_drop: [CHOWN, cap_kill]\ncap_add: [AUDIT_WRITE]',
    {
      security: {
        noNewPrivileges: true,
        capDrop: ['ALL'],
        capAdd: ['AUDIT_WRITE', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'],
      },
    },
  ],
  [
    'cap_drop: [ALL]\ncap_add: [NET_BIND_SERVICE]',
    { security: { noNewPrivileges: true, capDrop: ['ALL'], capAdd: ['NET_BIND_SERVICE'] } },
  ],
  [
    'volumes: ["data:/var/lib/x:ro,nocopy"]',
    { mounts: [{ volume: 'svc_data', target: '/var/lib/x', readOnly: true, noCopy: true }] },
  ],
  [
    'volumes: [{type: volume, source: data, target: /x/, read_only: true, volume: {nocopy: true}}]',
    {
      mounts: [{ volume: 'svc_data', target: '/x', readOnly: true, noCopy: true }],
    },
  ],
  [
    'volumes: [{type: tmpfs, target: /t, tmpfs: {size: 8m, mode: 0700}}]',
    { tmpfs: [{ target: '/t', sizeBytes: 8 * MIB, mode: 0o700, uid: null, gid: null }] },
  ],
  [
    'tmpfs: "/t:size=8m,mode=1777,uid=5,gid=6,noexec"',
    { tmpfs: [{ target: '/t', sizeBytes: 8 * MIB, mode: 0o1777, uid: 5, gid: 6 }] },
  ],
  [
    'networks: [front, back]',
    {
      networks: [
        { network: 'svc_front', aliases: ['web'] },
        { network: 'svc_back', aliases: ['web'] },
      ],
    },
  ],
  [
    'networks: {front: {aliases: [api, web]}, back: }',
    {
      networks: [
        { network: 'svc_front', aliases: ['web', 'api'] },
        { network: 'svc_back', aliases: ['web'] },
      ],
    },
  ],
  [
    'logging: {driver: local, options: {max-size: 5m, max-file: "2"}}',
    { logging: { driver: 'local', maxSizeBytes: 5 * MIB, maxFiles: 2 } },
  ],
  [
    'mem_limit: 128m\ncpus: "0.5"\npids_limit: 50',
    { resources: { cpus: 0.5, memoryBytes: 128 * MIB, memoryReservationBytes: null, pids: 50 } },
  ],
  [
    'deploy: {resources: {limits: {memory: 128M, cpus: 0.5, pids: 50}, reservations: {memory: 64m}}}',
    {
      resources: { cpus: 0.5, memoryBytes: 128 * MIB, memoryReservationBytes: 64 * MIB, pids: 50 },
    },
  ],
  [
    'healthcheck: {test: curl -f localhost, interval: 1m, timeout: 500ms, start_period: 1h2m, start_interval: 2s, retries: 5}',
    {
      healthcheck: {
        test: ['CMD-SHELL', 'curl -f localhost'],
        intervalMs: 60_000,
        timeoutMs: 500,
        startPeriodMs: 3_720_000,
        startIntervalMs: 2000,
        retries: 5,
      },
    },
  ],
  [
    'healthcheck: {interval: 9223372036854ms, timeout: 1ms, start_period: "0", retries: 999999999999999}',
    {
      healthcheck: {
        test: null,
        intervalMs: 9_223_372_036_854,
        timeoutMs: 1,
        startPeriodMs: 0,
        startIntervalMs: null,
        retries: 999_999_999_999_999,
      },
    },
  ],
  [
    'healthcheck: {test: [CMD, a, b]}',
    {
      healthcheck: {
        test: ['CMD', 'a', 'b'],
        intervalMs: null,
        timeoutMs: null,
        startPeriodMs: null,
        startIntervalMs: null,
        retries: null,
      },
    },
  ],
  [
    'healthcheck: {disable: true}',
    {
      healthcheck: {
        test: ['NONE'],
        intervalMs: null,
        timeoutMs: null,
        startPeriodMs: null,
        startIntervalMs: null,
        retries: null,
      },
    },
  ],
  [
    'image: postgres',
    {
      image: {
        ref: 'docker.io/library/postgres:latest',
        registry: 'docker.io',
        repository: 'library/postgres',
        tag: 'latest',
        digest: null,
      },
    },
  ],
];

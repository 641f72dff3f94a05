import {
  absolutePath,
  anyText,
  byteSize,
  decimal,
  duration,
  either,
  fileMode,
  hostname,
  identity,
  type JsonSchema,
  key,
  listOf,
  mappingOf,
  nothing,
  orEmpty,
  pairs,
  setOf,
  truth,
  wholeNumber,
} from './schema-parts.js';

const oneOf = (...values: readonly string[]): JsonSchema => ({
  type: 'string',
  enum: values,
  description: `one of ${values.join(', ')}`,
});

const commandLine = either('a string, a list of strings or null', anyText, listOf(anyText), nothing);
const capabilities = setOf({ ...anyText, pattern: '^[A-Za-z_]{1,40}$', description: 'the name of a capability' });
const limits = { cpus: decimal, memory: byteSize, pids: wholeNumber };

const inlineFileUse = listOf(
  either(
    'a name or a mapping',
    key,
    mappingOf({ source: key, target: anyText, uid: identity, gid: identity, mode: fileMode }, ['source']),
  ),
);

const mount = mappingOf(
  {
    type: oneOf('volume', 'tmpfs', 'bind', 'npipe', 'cluster', 'image'),
    source: anyText,
    target: absolutePath,
    read_only: truth,
    volume: mappingOf({ nocopy: truth }),
    tmpfs: mappingOf({ size: byteSize, mode: fileMode }),
  },
  ['type', 'target'],
);

const port = mappingOf(
  {
    name: anyText,
    target: wholeNumber,
    published: wholeNumber,
    host_ip: anyText,
    protocol: oneOf('tcp', 'udp'),
    mode: oneOf('host', 'ingress'),
    app_protocol: anyText,
  },
  ['target', 'published'],
);

const dependency = mappingOf(
  {
    condition: oneOf('service_started', 'service_healthy', 'service_completed_successfully'),
    restart: truth,
    required: truth,
  },
  ['condition'],
);

const healthcheck = mappingOf({
  test: either('a string or a list', anyText, listOf(anyText)),
  interval: duration,
  timeout: duration,
  start_period: duration,
  start_interval: duration,
  retries: wholeNumber,
  disable: truth,
});

const ulimitValue = either(
  'a whole number or {soft, hard}',
  { ...wholeNumber, type: ['integer', 'string'], minimum: -1, pattern: '^(-1|[0-9]{1,15})$' },
  mappingOf(
    Object.fromEntries(
      ['soft', 'hard'].map((bound) => [bound, { ...wholeNumber, minimum: -1, pattern: '^(-1|[0-9]{1,15})$' }]),
    ),
    ['soft', 'hard'],
  ),
);

/**
 * The supported keys of a service. Duplicates in ports, volumes, tmpfs, environment and labels are refused by their
 * readers instead, because two different texts can mean the same entry there.
 */
export const serviceSchema = mappingOf(
  {
    image: anyText,
    command: commandLine,
    entrypoint: commandLine,
    environment: pairs,
    volumes: listOf(either('a string or a mapping', anyText, mount)),
    tmpfs: either('a path or a list of paths', anyText, listOf(anyText)),
    ports: listOf(either('a string, a number or a mapping', { type: ['string', 'integer'] }, port)),
    expose: setOf({ type: ['string', 'integer'], description: 'a port' }),
    networks: either('a list or a mapping', setOf(key), {
      type: 'object',
      propertyNames: key,
      additionalProperties: either('a mapping or null', mappingOf({ aliases: setOf(hostname) }), nothing),
    }),
    depends_on: either('a list or a mapping', setOf(key), {
      type: 'object',
      propertyNames: key,
      additionalProperties: dependency,
    }),
    healthcheck,
    restart: orEmpty({
      ...anyText,
      pattern: '^(no|always|unless-stopped|on-failure(:[0-9]{1,6})?)$',
      description: 'no, always, unless-stopped, on-failure or on-failure:N',
    }),
    stop_grace_period: duration,
    stop_signal: { type: ['string', 'integer'], description: 'a signal such as SIGTERM' },
    init: truth,
    read_only: truth,
    user: orEmpty(identity),
    working_dir: orEmpty(absolutePath),
    hostname: orEmpty(hostname),
    shm_size: byteSize,
    ulimits: { type: 'object', description: 'a mapping', additionalProperties: ulimitValue },
    tty: truth,
    stdin_open: truth,
    extra_hosts: either('a list of host:address or a mapping', setOf(anyText), {
      type: 'object',
      propertyNames: hostname,
      additionalProperties: either('an address or a list', anyText, listOf(anyText)),
    }),
    dns: either('an address or a list', anyText, setOf(anyText)),
    labels: pairs,
    cap_add: capabilities,
    cap_drop: capabilities,
    security_opt: setOf(anyText),
    group_add: setOf(identity),
    profiles: setOf(key),
    deploy: either(
      'a mapping or null',
      mappingOf({
        resources: mappingOf({
          limits: mappingOf(limits),
          reservations: mappingOf({ cpus: decimal, memory: byteSize }),
        }),
      }),
      nothing,
    ),
    mem_limit: byteSize,
    cpus: decimal,
    pids_limit: { ...wholeNumber, minimum: -1, pattern: '^(-1|[0-9]{1,15})$' },
    secrets: inlineFileUse,
    configs: inlineFileUse,
    logging: mappingOf({
      driver: anyText,
      options: mappingOf({ 'max-size': byteSize, 'max-file': wholeNumber }),
    }),
  },
  ['image'],
);

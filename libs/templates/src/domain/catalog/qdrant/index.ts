import type { Uuid } from '#kernel/crypto/uuid';
import type { Check, Command } from '../../checks.js';
import { type Recipe, secret } from '../../recipe.js';
import { PASSWORD, type Template, type TemplateInput } from '../../template.js';
import { commonVariables } from '../../variables.js';
import { HEALTH_PROBE, REQUEST } from './requests.js';

export const qdrant: Template = {
  id: '6f0c4b52-8a1e-4c39-9d56-0a1f5e7c1006' as Uuid,
  slug: 'qdrant',
  name: 'Qdrant',
  description:
    'Vector database. Every REST and gRPC request needs the API key in the header `api-key`, the health endpoint ' +
    'apart. The dashboard is at /dashboard of its subdomain; gRPC is internal.',
  category: 'database',
  kind: 'qdrant',
  version: '1.15.1',
  image: { repository: 'qdrant/qdrant', tag: 'v1.15.1', versionVariable: null },
  seriesParts: 2,
  defaultPort: 6333,
  minRamMb: 1024,
  security: 'secure',
  tags: ['vector', 'search'],
  documentationUrl: 'https://qdrant.tech/documentation/',
  variables: commonVariables({
    databaseApplies: false,
    userApplies: false,
    passwordDescription: 'The API key.',
  }),
  volumes: [
    { name: 'storage', path: '/qdrant/storage' },
    { name: 'snapshots', path: '/qdrant/snapshots' },
  ],
  ports: [
    { port: 6333, protocol: 'http', exposure: 'https' },
    { port: 6334, protocol: 'grpc', exposure: 'internal' },
  ],
  backup: { method: 'qdrant-snapshot', supportsPitr: false },
  createdAt: new Date('2026-11-24T00:00:00Z'),
  updatedAt: new Date('2026-11-24T00:00:00Z'),
  credentialsForAdminsAlone: true,
  ownSecrets: [],
  recipe,
  access: () => ({
    port: 6333,
    database: null,
    username: null,
    isApiKey: true,
    connectionString: (host) => `http://${host}:6333`,
  }),
  login: (_, password) => ({
    ...request('/collections', password),
    succeeded: ({ stdout }) => /^HTTP\/1\.[01] 200 /.test(stdout),
  }),
  checks,
  serverVersion: () => {
    const { command, environment } = request('/', PASSWORD);
    return { command, environment: { ...environment, PANEL_FIELD: 'version' } };
  },
  // The key is in the container's environment, so only a new container can get another one.
  changePassword: null,
};

function recipe({ cpuCores }: TemplateInput): Recipe {
  return {
    command: null,
    environment: {
      // The image cannot read it from a file.
      QDRANT__SERVICE__API_KEY: [secret(PASSWORD)],
      QDRANT__SERVICE__ENABLE_TLS: 'false',
      QDRANT__TELEMETRY_DISABLED: 'true',
      QDRANT__STORAGE__SNAPSHOTS_PATH: '/qdrant/snapshots',
      QDRANT__STORAGE__PERFORMANCE__MAX_SEARCH_THREADS: String(Math.max(1, Math.floor(cpuCores))),
      QDRANT__LOG_LEVEL: 'INFO',
    },
    files: [],
    probe: {
      // The image has bash, but neither curl nor wget.
      test: ['CMD', 'bash', '-c', HEALTH_PROBE],
      intervalSeconds: 5,
      timeoutSeconds: 5,
      retries: 5,
      startPeriodSeconds: 60,
    },
    stopSignal: 'SIGTERM',
    shmMb: null,
  };
}

function request(path: string, key: string | null): Command {
  return {
    command: ['bash', '-c', REQUEST],
    environment: { PANEL_PATH: path, ...(key === null ? {} : { PANEL_KEY: [secret(key)] }) },
  };
}

function checks(): readonly Check[] {
  return [
    {
      name: 'a client without the API key is refused',
      ...request('/collections', null),
      defect: ({ stdout }) => (/^HTTP\/1\.[01] 401 /.test(stdout) ? null : 'the server answered without the key'),
    },
    {
      name: 'the health endpoint is open',
      ...request('/healthz', null),
      defect: ({ stdout }) => (/^HTTP\/1\.[01] 200 /.test(stdout) ? null : 'GET /healthz does not answer 200'),
    },
  ];
}

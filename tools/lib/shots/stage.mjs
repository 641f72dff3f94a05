import { createHmac } from 'node:crypto';

const MAX_WAIT_MS = 60_000;

/**
 * Three services as people have them: one that runs and writes logs, a database, and one whose last deployment failed.
 * @returns ids that the addresses of screens are made from
 */
export async function setStage({ panelApi, panelAdminKey }, registry, signal) {
  const call = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${panelApi}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${panelAdminKey}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: typeof body === 'string' ? body : body && JSON.stringify(body),
      signal,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text && JSON.parse(text);
  };
  const settled = async (id) => {
    for (const since = Date.now(); Date.now() - since < MAX_WAIT_MS;) {
      const { data } = await call('GET', `/services/${id}/deployments`);
      if (data[0]?.finishedAt) return data[0].id;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    throw new Error('a deployment does not end');
  };

  const shop = await call('POST', '/services', {
    name: 'shop',
    description: 'The web shop and its background jobs.',
    composeYaml: SHOP(registry),
    variables: { DATABASE_URL: 'postgres://shop:secret@orders-db:5432/shop', FEATURE_FLAGS: 'checkout2' },
  });
  await settled(shop.serviceId);
  await call('POST', `/services/${shop.serviceId}/domains`, {
    host: 'shop.example.com',
    targetService: 'web',
    targetPort: 8080,
  });
  const { data: templates } = await call('GET', '/templates');
  const template = templates.find(({ slug }) => slug === 'redis');
  const cache = await call('POST', `/templates/${template.id}/deploy`, { name: 'sessions-cache', variables: {} });
  const broken = await call('POST', '/services', { name: 'newsletter', composeYaml: BROKEN(registry) });
  const [, failure] = [await settled(cache.serviceId), await settled(broken.serviceId)];
  // Its image is not in the registry: what there is to see of it is written afterwards.
  const postgresql = templates.find(({ slug }) => slug === 'postgresql');
  const database = await call('POST', `/templates/${postgresql.id}/deploy`, { name: 'orders', variables: {} });
  await settled(database.serviceId);
  const pushed = await addPushed(call);
  const { data: organisations } = await call('GET', '/organisations');
  const [{ id: organisation }] = organisations;
  const limits = { services: 5, cpuCores: 4, memoryMb: 4096, diskMb: null };
  await call('PUT', `/organisations/${organisation}/quota`, limits);
  await call('PATCH', `/services/${shop.serviceId}`, { customerId: organisation });
  await call('PATCH', `/services/${shop.serviceId}`, { variables: { FEATURE_FLAGS: 'checkout3' } });
  await settled(shop.serviceId);
  await call('POST', `/organisations/${organisation}/members`, {
    email: 'grace@example.com',
    permissions: ['services:read', 'services.logs:read'],
  });
  await call('POST', '/api-keys', { name: 'backup script', scopes: ['read'] });
  return {
    shop: shop.serviceId,
    cache: cache.serviceId,
    broken: broken.serviceId,
    pushed,
    database: database.serviceId,
    failure,
    template: postgresql.id,
    organisation,
    call,
  };
}

/** A service from a repository that cannot be reached here, with a push hook and what was delivered to it. */
async function addPushed(call) {
  const source = { name: 'website', git_repo_url: 'https://git.example.com/acme/website', watch_paths: ['site/**'] };
  const { serviceId } = await call('POST', '/services/git', source);
  const { url, secret } = await call('POST', `/services/${serviceId}/hook`);
  const deliver = async (ref) => {
    const body = JSON.stringify({ ref, after: '9f2c1d7e'.repeat(5), commits: [] });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const event = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signature}` };
    const path = new URL(url).pathname.replace('/api/v1', '');
    await call('POST', path, body, event);
  };
  await deliver('refs/heads/feature');
  await deliver('refs/heads/main');
  await call('PATCH', `/services/${serviceId}/git-settings`, { previewsEnabled: true });
  return serviceId;
}

const SHOP = (registry) => `services:
  web:
    image: ${registry}/acme/shop:1.4
    environment:
      DATABASE_URL: \${DATABASE_URL}
      FEATURE_FLAGS: \${FEATURE_FLAGS}
    init: true
    restart: unless-stopped
    volumes:
      - uploads:/uploads
  worker:
    image: ${registry}/acme/shop:1.4
    init: true
volumes:
  uploads:
`;

const BROKEN = (registry) => `services:
  mailer:
    image: ${registry}/acme/shop:1.4
    command: ["sh", "-c", "echo connecting to smtp.example.com:587; echo 'error: SMTP_PASSWORD is not set'; exit 3"]
`;

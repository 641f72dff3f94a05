const PATIENCE_MS = 60_000;

/**
 * Three services as people have them: one that runs and writes logs, a database, and one whose last deployment failed.
 * @returns ids that the addresses of screens are made from
 */
export async function setStage({ panelApi, panelAdminKey }, registry, signal) {
  const call = async (method, path, body) => {
    const answer = await fetch(`${panelApi}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${panelAdminKey}`, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
      signal,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text && JSON.parse(text);
  };
  const settled = async (id) => {
    for (const since = Date.now(); Date.now() - since < PATIENCE_MS;) {
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
  const { data: organisations } = await call('GET', '/organisations');
  const [{ id: organisation }] = organisations;
  const limits = { services: 5, cpuCores: 4, memoryMb: 4096, diskMb: null };
  await call('PUT', `/organisations/${organisation}/quota`, limits);
  await call('PATCH', `/services/${shop.serviceId}`, { customerId: organisation });
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
    failure,
    template: template.id,
    organisation,
    call,
  };
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

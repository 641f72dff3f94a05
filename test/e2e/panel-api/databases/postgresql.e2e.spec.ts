import { databaseDump, spellings } from '../../../support/database-dump.js';
import { describeWithDatabases } from '../../../support/databases/database-images.js';
import { engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { anAdminKey } from '../../../support/builders/a-panel-user.js';
import { SocketClient } from '../../../support/realtime/socket-client.js';
import { BED_START_MS, TemplateBed } from '../../../support/services/template-bed.js';

const CANARY = 'canary-pg-4f9a1c77';
const HOST = ['-h', '127.0.0.1', '-X', '-A', '-t', '-q'];

describeWithDatabases('PostgreSQL from a template', () => {
  let bed: TemplateBed;
  let id: string;
  let password = CANARY;
  let socket: SocketClient;
  let answerWhenRunning: string;

  const sql = (text: string, secret = password) =>
    bed.run(id, ['psql', ...HOST, '-U', 'shop', '-d', 'shop', '-c', text], { PGPASSWORD: secret });

  beforeAll(async () => {
    bed = await TemplateBed.start();
    // The temporary server of the first start runs longer than the interval of the health check.
    await bed.publish('postgres', 'library/postgres:16-bookworm', ['ENV TEST_INIT_DELAY=3']);
    socket = await SocketClient.greeted(bed.panel.api.url, { key: await anAdminKey(bed.panel.api.app) });
    await socket.subscribe('services');
    const variables = { SERVICE_NAME: 'shop-db', DB_NAME: 'shop', DB_USER: 'shop', DB_PASSWORD: CANARY };
    id = await bed.deploy('postgresql', { name: 'Shop database', variables });
    await socket.subscribe(`service:${id}`);
    const [deployment] = (await bed.panel.admin.get(`/api/v1/services/${id}/deployments`)).body.data as {
      id: string;
    }[];
    await socket.subscribe(`deployment:${deployment!.id}`);
    await bed.panel.until(id, 'running');
    answerWhenRunning = await sql('SELECT 1').catch(String);
    await bed.untilDone(id);
    await socket.subscribe(`service:${id}:logs`, { tail: 1000 });
  }, BED_START_MS);

  afterAll(async () => {
    socket.ws.terminate();
    await bed.close();
  });

  it('is not shown as running before it accepts logins', () => {
    expect(answerWhenRunning).toBe('1');
  });

  it('is a service like any other, created from the template', async () => {
    const { body } = await bed.panel.admin.get(`/api/v1/services/${id}`);
    expect(body).toMatchObject({ status: 'running', deploymentType: 'template', templateName: 'postgresql' });
    const [deployment] = (await bed.panel.admin.get(`/api/v1/services/${id}/deployments`)).body.data;
    expect(deployment).toMatchObject({ trigger: 'template', status: 'succeeded' });
    expect(deployment.imageDigests['shop-db']).toMatch(/^sha256:/);
  });

  it('runs with every setting of its template', async () => {
    const { Id } = await bed.container(id);
    const { HostConfig, Config, NetworkSettings, Mounts } = await bed.inspect(Id);
    expect(HostConfig).toMatchObject({
      Memory: 512 * 2 ** 20,
      MemorySwap: 512 * 2 ** 20,
      NanoCpus: 1e9,
      PidsLimit: 2048,
      ShmSize: 128 * 2 ** 20,
      RestartPolicy: { Name: 'unless-stopped' },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10485760', 'max-file': '3' } },
    });
    expect(HostConfig.SecurityOpt).toEqual(['no-new-privileges:true']);
    expect(HostConfig.PortBindings).toEqual({});
    expect([Config.StopSignal, Config.StopTimeout]).toEqual(['SIGINT', 120]);
    expect(Mounts).toEqual([
      expect.objectContaining({ Type: 'volume', Destination: '/var/lib/postgresql/data', Name: `${id}_data` }),
    ]);
    const aliases = Object.values(NetworkSettings.Networks as Record<string, { Aliases: string[] }>);
    expect(aliases).toHaveLength(2);
    for (const { Aliases } of aliases) expect(Aliases).toContain('shop-db');
    const shown = async (name: string) => [name, await sql(`SHOW ${name}`)];
    const names = ['shared_buffers', 'work_mem', 'max_connections', 'wal_level', 'archive_mode', 'autovacuum'];
    expect(Object.fromEntries(await Promise.all(names.map(shown)))).toEqual({
      shared_buffers: '128MB',
      work_mem: '2MB',
      max_connections: '51',
      wal_level: 'replica',
      archive_mode: 'on',
      autovacuum: 'on',
    });
    expect(Number(await sql('SELECT count(*) FROM pg_stat_statements'))).toBeGreaterThan(0);
    expect(await sql("SELECT datcollate, datcollversion IS NULL FROM pg_database WHERE datname = 'shop'")).toBe(
      'C.UTF-8|t',
    );
  });

  it('reveals its password nowhere', async () => {
    const { Id } = await bed.container(id);
    const places = [
      JSON.stringify(await bed.inspect(Id)),
      JSON.stringify(await engineJson('GET', '/containers/json?all=1')),
      (await engineRequest('GET', `/containers/${Id}/logs?stdout=1&stderr=1`)).text,
      (await engineRequest('GET', `/containers/${Id}/top?ps_args=axww`)).text,
      bed.panel.logs(),
      // The jobs of the queue are in its tables.
      await databaseDump(bed.panel.api.database.url),
      JSON.stringify(socket.messages),
      ...(await Promise.all(
        ['', '/deployments', '/credentials', '/health', '/metrics'].map(async (path) => {
          return (await bed.panel.admin.get(`/api/v1/services/${id}${path}`)).text;
        }),
      )),
    ].join('\n');
    expect(places).toContain('shop-db');
    expect(socket.of('deployment.log').length).toBeGreaterThan(0);
    expect(socket.of('service.log').length).toBeGreaterThan(0);
    for (const spelling of spellings(CANARY)) expect(places).not.toContain(spelling);
  });

  it('refuses any other password', async () => {
    await expect(sql('SELECT 1', 'not-the-password')).rejects.toThrow(/password authentication failed/);
  });

  it('keeps acknowledged rows after a kill, a redeployment and a restart', async () => {
    await sql('CREATE TABLE t AS SELECT g AS id, md5(g::text) AS v FROM generate_series(1, 5000) g');
    const before = await sql("SELECT md5(string_agg(v, '' ORDER BY id)) FROM t");
    const { Id } = await bed.container(id);
    await engineRequest('POST', `/containers/${Id}/kill`);
    await bed.panel.until(id, 'running');
    await bed.panel.admin.post(`/api/v1/services/${id}/restart`);
    await bed.untilDone(id);
    expect(await sql("SELECT md5(string_agg(v, '' ORDER BY id)) FROM t")).toBe(before);
    await bed.panel.admin.post(`/api/v1/services/${id}/redeploy`);
    expect(await bed.untilDone(id)).toMatchObject({ trigger: 'redeploy' });
    expect((await bed.container(id)).Id).not.toBe(Id);
    expect(await sql("SELECT md5(string_agg(v, '' ORDER BY id)) FROM t")).toBe(before);
  }, 120_000);

  it('reveals its password with an audit entry, and rotates it', async () => {
    const path = `/api/v1/services/${id}/credentials`;
    const masked = (await bed.panel.admin.get(path)).body;
    expect(masked).toEqual({
      host: 'shop-db',
      port: 5432,
      database: 'shop',
      username: 'shop',
      password: '********',
      connectionString: 'postgresql://shop:********@shop-db:5432/shop',
    });
    const revealed = await bed.panel.admin.post(`${path}/reveal`);
    expect(revealed.body).toMatchObject({
      password: CANARY,
      connectionString: `postgresql://shop:${CANARY}@shop-db:5432/shop`,
    });
    expect(revealed.headers.get('cache-control')).toBe('no-store');
    const rotated = await bed.panel.admin.post(`${path}/rotate`);
    expect([rotated.status, rotated.body.password, rotated.body.deploymentId]).toEqual([200, '********', null]);
    await expect(sql('SELECT 1', CANARY)).rejects.toThrow(/password authentication failed/);
    password = (await bed.panel.admin.post(`${path}/reveal`)).body.password as string;
    expect(password).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(await sql('SELECT 1')).toBe('1');
    const statements = await sql("SELECT coalesce(string_agg(query, ' '), '') FROM pg_stat_statements");
    expect(statements).not.toContain(password);
    const { body } = await bed.panel.admin.get('/api/v1/audit');
    const actions = (body.data as { action: string }[]).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['credentials.revealed', 'credentials.rotated']));
    await bed.panel.admin.post(`/api/v1/services/${id}/redeploy`);
    await bed.untilDone(id);
    expect(await sql('SELECT 1')).toBe('1');
  }, 120_000);
});

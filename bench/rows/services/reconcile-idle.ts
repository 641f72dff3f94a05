import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { ReconcileServices } from '#libs/services';
import { readEnv } from '#platform/config/read-env';
import { workerSettings } from '../../../apps/worker/src/worker.config.js';
import { WorkerModule } from '../../../apps/worker/src/worker.module.js';
import { IdleEngine, type ListedContainer } from '../../lib/idle-engine.js';
import { freePort } from '../../lib/free-port.js';
import { repeat } from '../../lib/rounds.js';
import type { Row } from '../../lib/row.js';
import type { Stage } from '../../lib/stage.js';

const SERVICES = 500;
const MAX_CALLS = 3;

/** @throws Error if the engine is asked more often than once for each kind of resource */
export const reconcileIdle: Row = {
  number: '20',
  work: `compare ${SERVICES} services with the engine, nothing to do`,
  unit: 'ms',
  baseline: 'none',
  better: 'lower',
  floor: 2_000,
  ambitious: 100,
  async run(stage) {
    const engine = await IdleEngine.start(await fill(stage));
    const env = {
      DATABASE_URL: stage.options.databaseUrl,
      DOCKER_HOST: engine.host,
      LOG_LEVEL: 'silent',
      SECRETS_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      WORKER_METRICS_PORT: String(await freePort()),
    };
    const module = WorkerModule.forRoot(readEnv(workerSettings, env));
    const worker = await NestFactory.createApplicationContext(module, { logger: false });
    const reconcile = worker.get(ReconcileServices);
    try {
      await reconcile.survey();
      // The worker compares once by itself at its start.
      await pause(1_000);
      return await repeat(stage.options.rounds * 3, async () => {
        engine.calls = 0;
        const startedAt = performance.now();
        const findings = await reconcile.survey();
        const took = performance.now() - startedAt;
        if (findings.length > 0) throw new Error(`found ${JSON.stringify(findings[0])}`);
        if (engine.calls > MAX_CALLS) throw new Error(`${engine.calls} calls of the engine`);
        return took;
      });
    } finally {
      await worker.close();
      await engine.stop();
      await stage.pool.query('truncate services.services cascade');
    }
  },
};

/** Running services, each with two containers, a network and a volume, and the engine's answers for them. */
async function fill(stage: Stage): Promise<Readonly<Record<string, unknown>>> {
  await stage.pool.query('truncate services.services cascade');
  const containers: ListedContainer[] = [];
  const [networks, volumes]: [object[], object[]] = [[], []];
  for (let index = 0; index < SERVICES; index += 1) {
    const [id, deployment] = [randomUUID(), randomUUID()];
    const roles = ['db', 'web'];
    const image = {
      ref: 'docker.io/acme/web:1',
      registry: 'docker.io',
      repository: 'acme/web',
      tag: '1',
      digest: null,
    };
    const member = { image, imageId: 'sha256:0', digest: null, stopGraceMs: 1, dependsOn: [], oneShot: false };
    const topology = {
      members: roles.map((role) => ({ role, ...member })),
      networks: [`${id}_default`],
      volumes: [`${id}_data`],
    };
    await stage.pool.query(
      `insert into services.services (id, name, deployment_type, status, settled_status, desired_state,
         suspended, locked, cpu_cores, memory_mb, disk_mb, spec_version, created_at, updated_at)
       values ($1, $2, 'compose', 'running', 'running', 'running', false, false, 1, 512, 5120, 1, now(), now())`,
      [id, `idle ${index}`],
    );
    await stage.pool.query(
      `insert into services.deployments (id, service_id, trigger, status, spec_version, created_at, finished_at,
         committed_at, proven_at, topology) values ($1, $2, 'create', 'succeeded', 1, now(), now(), now(), now(), $3)`,
      [deployment, id, JSON.stringify(topology)],
    );
    await stage.pool.query('update services.services set current_deployment_id = $2 where id = $1', [id, deployment]);
    const own = { 'panel.service': id };
    for (const role of roles) {
      const Labels = { ...own, 'panel.deployment': deployment, 'panel.role': role, 'panel.spec-hash': 'x' };
      containers.push({ Id: randomUUID(), Names: [`/${id}_${role}`], ImageID: 'sha256:0', State: 'running', Labels });
    }
    networks.push({ Name: `${id}_default`, Internal: false, Labels: own });
    volumes.push({ Name: `${id}_data`, Labels: own });
  }
  return {
    '/version': { Version: '24.0.0', ApiVersion: '1.43', MinAPIVersion: '1.12' },
    '/containers/json': containers,
    '/networks': networks,
    '/volumes': { Volumes: volumes },
  };
}

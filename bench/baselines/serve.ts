import { fastify, type FastifyInstance } from 'fastify';
import pg from 'pg';

/** Common parts of the baseline servers: the same pool size as the product, and a readiness path. */
export async function serve(routes: (app: FastifyInstance, pool: pg.Pool) => void): Promise<void> {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const app = fastify();
  app.get('/ready', async () => (await pool.query('select 1')).rows[0] as object);
  routes(app, pool);
  process.once('SIGTERM', () => process.exit(0));
  await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
}

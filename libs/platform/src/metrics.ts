import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Counter, Registry } from 'prom-client';
import { logOutput } from './log-output.js';

export function createRegistry(process: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  new Counter({
    name: 'log_lines_dropped_total',
    help: 'Log lines dropped because stdout could not be written.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(logOutput.dropped);
    },
  });
  return registry;
}

/**
 * Serves `GET /metrics` on a separate port, which is never published with the API. `more` serves further paths, such as
 * the health of a process without an API.
 */
export function serveMetrics(
  registry: Registry,
  listen: { host: string; port: number },
  more: Readonly<Record<string, () => Promise<{ status: number; body: unknown }>>> = {},
): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const answer = async () => {
      if (path === '/metrics') return { status: 200, type: registry.contentType, text: await registry.metrics() };
      const result = await more[path]?.();
      return result
        ? { status: result.status, type: 'application/json', text: JSON.stringify(result.body) }
        : { status: 404, type: 'text/plain', text: 'not found\n' };
    };
    answer()
      .then(({ status, type, text }) => response.writeHead(status, { 'content-type': type }).end(text))
      .catch(() => response.writeHead(500).end());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(listen.port, listen.host, () => resolve(server));
  });
}

import { createServer, type AddressInfo, type Server } from 'node:net';
import { freePort } from '../support/free-port.js';

const SETTINGS = [
  ...['PARTNER_API_PORT', 'PANEL_API_PORT', 'IDP_PORT', 'POSTGRES_PORT'],
  ...['PARTNER_METRICS_PORT', 'PANEL_METRICS_PORT', 'WORKER_METRICS_PORT'],
];

/** A server that holds a port of its own until it is closed. */
export function listening(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ server, port: (server.address() as AddressInfo).port }));
  });
}

/** Every port of an instance, each one free a moment ago: the defaults may be in use on this machine. */
export async function instancePorts(): Promise<Record<string, string>> {
  const ports = new Set<number>();
  while (ports.size < SETTINGS.length) ports.add(await freePort());
  return Object.fromEntries(SETTINGS.map((name, i) => [name, String([...ports][i])]));
}

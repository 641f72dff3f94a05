import { buildApp } from 'fauxqs';

// Started by itself it would listen on all addresses. Ends with its parent.
const app = buildApp({ logger: false });
await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${app.server.address().port}\n`);
process.stdin.resume().once('end', () => process.exit(0));

import { buildApp } from 'fauxqs';

// The program's own start script would listen on all addresses. This process exits when its parent does.
const app = buildApp({ logger: false });
await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${app.server.address().port}\n`);
process.stdin.resume().once('end', () => process.exit(0));

import { serve } from './serve.js';

/** A minimal Fastify application. */
await serve((app) => {
  app.get('/hello', () => ({ hello: 'world' }));
});

import { serve } from './serve.js';

/** The least that Fastify can do. */
await serve((app) => {
  app.get('/hello', () => ({ hello: 'world' }));
});

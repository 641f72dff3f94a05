/**
 * The built partner API in a process in which requests can be stopped between two effects. The header `x-hold-at` names
 * the place where the request stops forever. Prints the URL once the API listens, and `held` for each stopped request.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import path from 'node:path';

const dist = path.resolve(import.meta.dirname, '../../../dist');
const require = createRequire(import.meta.url);
const load = (file) => import(path.join(dist, file));

const { Test } = require('@nestjs/testing');
const { Registry } = require('prom-client');
const { preparePartnerApi, partnerHttpAdapter } = await load('apps/partner-api/src/create-app.js');
const { partnerApiSettings } = await load('apps/partner-api/src/partner-api.config.js');
const { PartnerApiModule } = await load('apps/partner-api/src/partner-api.module.js');
const { FailPoints } = await load('libs/licensing/src/application/ports/fail-points.js');
const { readEnv } = await load('libs/platform/src/config/read-env.js');
const { createLogger, NestPinoLogger } = await load('libs/platform/src/logging.js');

const settings = readEnv(partnerApiSettings, process.env);
const logger = createLogger('partner-api', settings.LOG_LEVEL, process.stderr);
const say = (line) => process.stdout.write(`${line}\n`);

const holdAt = new AsyncLocalStorage();
const failPoints = {
  reach: (place) => {
    if (place !== holdAt.getStore()) return Promise.resolve();
    say('held');
    return new Promise(() => undefined);
  },
};

const module = await Test.createTestingModule({ imports: [PartnerApiModule.forRoot(settings, logger)] })
  .overrideProvider(FailPoints)
  .useValue(failPoints)
  .setLogger(new NestPinoLogger(logger))
  .compile();
const app = module.createNestApplication(partnerHttpAdapter(settings), { bodyParser: false });
app
  .getHttpAdapter()
  .getInstance()
  .addHook('onRequest', (request, _reply, done) => holdAt.run(request.headers['x-hold-at'], done));
await preparePartnerApi(app, settings, { logger, registry: new Registry() });
await app.listen(0, '127.0.0.1');
say(await app.getUrl());

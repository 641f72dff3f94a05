/**
 * The built partner API as a process of its own that kills itself, as `kill -9` would, at the place named by FAILPOINT
 * (none: it lives). Prints its URL once it listens.
 */
import { createRequire } from 'node:module';
import path from 'node:path';

const dist = path.resolve(import.meta.dirname, '../../dist');
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
const failPoints = {
  reach: (place) => {
    if (place === process.env.FAILPOINT) process.kill(process.pid, 'SIGKILL');
    return Promise.resolve();
  },
};

const module = await Test.createTestingModule({ imports: [PartnerApiModule.forRoot(settings, logger)] })
  .overrideProvider(FailPoints)
  .useValue(failPoints)
  .setLogger(new NestPinoLogger(logger))
  .compile();
const app = module.createNestApplication(partnerHttpAdapter(settings), { bodyParser: false });
await preparePartnerApi(app, settings, { logger, registry: new Registry() });
await app.listen(0, '127.0.0.1');
process.stdout.write(`${await app.getUrl()}\n`);

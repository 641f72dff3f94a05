import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { aPartner } from '../support/builders/a-partner.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../..');
const JAR = path.join(ROOT, 'node_modules/openapi-generator-jar/bin/openapi-generator.jar');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');

describe('clients by openapi-generator', () => {
  let api: RunningPartnerApi;
  let token: string;
  let folder: string;

  beforeAll(async () => {
    api = await startPartnerApi();
    token = (await aPartner(api.app, { name: 'Northwind' })).writeToken;
    folder = mkdtempSync(path.join(tmpdir(), 'tenantry-generated-'));
    writeFileSync(path.join(folder, 'openapi.yaml'), (await api.as(null).get('/openapi.yaml')).text);
  });
  afterAll(async () => {
    await api?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const generate = (generator: string, ...options: string[]) =>
    run('java', ['-jar', JAR, 'generate', '-g', generator, '-i', 'openapi.yaml', '-o', generator, ...options], {
      cwd: folder,
    });

  it('compile and run the first requests of README: typescript-fetch', async () => {
    await generate('typescript-fetch', '--additional-properties=typescriptThreePlus=true');
    writeFileSync(
      path.join(folder, 'first-requests.ts'),
      `import { Configuration, CustomersApi, IdentityApi } from './typescript-fetch';
       declare const process: { stdout: { write(text: string): void } };
       const configuration = new Configuration({ basePath: '${api.url}', accessToken: '${token}', fetchApi: fetch });
       const requests = async () => {
         const me = await new IdentityApi(configuration).getMe();
         const createCustomer = { name: 'Harbour Books' };
         const customer = await new CustomersApi(configuration).createCustomer({ createCustomer });
         process.stdout.write(JSON.stringify([me.name, customer.name, customer.status]));
       };
       void requests();`,
    );
    const flags =
      '--target es2022 --module commonjs --moduleResolution node10 --ignoreDeprecations 6.0 --lib es2022,dom';
    const args = [TSC, '--strict', '--skipLibCheck', ...flags.split(' '), 'first-requests.ts'];
    const compiled = await run(process.execPath, args, { cwd: folder }).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe('');
    const { stdout } = await run(process.execPath, ['first-requests.js'], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(['Northwind', 'Harbour Books', 'active']);
  });

  it('can be loaded and call: python', async () => {
    await generate('python');
    const program = `
import json, openapi_client
from openapi_client.api.identity_api import IdentityApi
from openapi_client.api.customers_api import CustomersApi
configuration = openapi_client.Configuration(host='${api.url}')
configuration.access_token = '${token}'
client = openapi_client.ApiClient(configuration)
me = IdentityApi(client).get_me()
print(json.dumps([me.name, type(me).__name__]))`;
    const { stdout } = await run('python3', ['-c', program], { cwd: path.join(folder, 'python') });
    expect(JSON.parse(stdout)).toEqual(['Northwind', 'Me']);
  });
});

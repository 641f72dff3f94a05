import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Creates a self-signed certificate for the loopback interface, `git.test` and one more address.
 * @param file gets the certificate, for `GIT_CA_FILE`
 */
export function makeCertificate(
  folder: string,
  file: string,
  address = '127.0.0.1',
): { readonly key: Buffer; readonly cert: Buffer } {
  const key = join(folder, 'key.pem');
  const names = `subjectAltName=DNS:localhost,DNS:git.test,IP:127.0.0.1,IP:${address}`;
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const args = [...request, '-keyout', key, '-out', file, '-subj', '/CN=git.test', '-addext', names];
  execFileSync('openssl', args, { stdio: 'ignore' });
  return { key: readFileSync(key), cert: readFileSync(file) };
}

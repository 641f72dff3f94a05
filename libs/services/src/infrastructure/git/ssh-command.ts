import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CloneRequest } from '../../application/ports/git/git-checkout.js';
import { LARGE_HOSTS } from './known-hosts.js';

const OPTIONS = [
  ...['BatchMode=yes', 'StrictHostKeyChecking=yes', 'GlobalKnownHostsFile=/dev/null', 'UpdateHostKeys=no'],
  ...['IdentitiesOnly=yes', 'IdentityAgent=none', 'PreferredAuthentications=publickey', 'ForwardAgent=no'],
  ...['ClearAllForwardings=yes', 'PermitLocalCommand=no', 'ControlMaster=no', 'ControlPath=none', 'ProxyCommand=none'],
  ...['ConnectTimeout=10', 'ServerAliveInterval=10', 'ServerAliveCountMax=3', 'CheckHostIP=no'],
  'CanonicalizeHostname=no',
];

/**
 * Writes the files that ssh needs into a folder that only its owner can enter: the deploy key and the host keys. The
 * command is run by a shell, so it contains nothing from the request except values that were normalised.
 * @param ip the address that was checked; the host key is looked up by name
 */
export async function sshCommand(
  { address, deployKey, knownHosts }: CloneRequest,
  ip: string,
  folder: string,
  knownHostsFile: string | null,
): Promise<string> {
  const key = join(folder, 'key');
  const hosts = join(folder, 'known_hosts');
  const ofSettings = knownHostsFile === null ? '' : await readFile(knownHostsFile, 'utf8');
  await writeFile(hosts, [...LARGE_HOSTS, ofSettings, knownHosts ?? '', ''].join('\n'), { mode: 0o600 });
  // ssh cannot read a key without a newline at its end.
  if (deployKey) await writeFile(key, `${deployKey.reveal().replace(/\r\n?/g, '\n').trim()}\n`, { mode: 0o600 });
  const host = address.host.replace(/^\[|\]$/g, '');
  const alias = address.port === 22 ? host : `[${host}]:${address.port}`;
  const options = [...OPTIONS, `UserKnownHostsFile=${hosts}`, `HostName=${ip}`, `HostKeyAlias=${alias}`];
  const identity = deployKey ? key : '/dev/null';
  return ['ssh', '-F /dev/null', ...options.map((option) => `-o '${option}'`), `-i '${identity}'`].join(' ');
}

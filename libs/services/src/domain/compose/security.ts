import type { SecurityProfile } from '../service-plan.js';
import type { ComposeService } from './compose-file.js';
import type { Place } from './place.js';
import { readList } from './readers.js';

/**
 * What ordinary images need in order to start as root and then switch to their own user: changing owners and ids,
 * writing to files of others, listening on ports below 1024 and killing child processes.
 */
const DEFAULT_CAPABILITIES = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'NET_BIND_SERVICE',
  'SETGID',
  'SETUID',
] as const;

/** Those of Docker's default capabilities that affect only the container. MKNOD and NET_RAW are not among them. */
const GRANTABLE: ReadonlySet<string> = new Set([
  ...DEFAULT_CAPABILITIES,
  'AUDIT_WRITE',
  'SETFCAP',
  'SETPCAP',
  'SYS_CHROOT',
]);

/** All capabilities of Linux. The engine refuses to drop an unknown one. */
const CAPABILITIES: ReadonlySet<string> = new Set(
  `AUDIT_CONTROL AUDIT_READ AUDIT_WRITE BLOCK_SUSPEND BPF CHECKPOINT_RESTORE CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER
   FSETID IPC_LOCK IPC_OWNER KILL LEASE LINUX_IMMUTABLE MAC_ADMIN MAC_OVERRIDE MKNOD NET_ADMIN NET_BIND_SERVICE
   NET_BROADCAST NET_RAW PERFMON SETFCAP SETGID SETPCAP SETUID SYSLOG SYS_ADMIN SYS_BOOT SYS_CHROOT SYS_MODULE SYS_NICE
   SYS_PACCT SYS_PTRACE SYS_RAWIO SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG WAKE_ALARM`.split(/\s+/),
);

/** As in Docker, `cap_drop` is applied to the defaults first (`ALL` drops every one), then `cap_add`. */
export function readSecurity(service: ComposeService, place: Place): SecurityProfile {
  const granted = new Set<string>(DEFAULT_CAPABILITIES);
  for (const { item, place: at } of readList<string>(service.cap_drop, place.at('cap_drop'))) {
    if (nameOf(item) === 'ALL') granted.clear();
    else if (CAPABILITIES.has(nameOf(item))) granted.delete(nameOf(item));
    else at.refuse('Unknown capability.');
  }
  for (const { item, place: at } of readList<string>(service.cap_add, place.at('cap_add'))) {
    if (GRANTABLE.has(nameOf(item))) granted.add(nameOf(item));
    else at.forbid(`This capability is not granted; these can be: ${[...GRANTABLE].sort().join(', ')}.`);
  }
  for (const { item, place: at } of readList<string>(service.security_opt, place.at('security_opt')))
    if (!/^no-new-privileges(?:[:=]true)?$/.test(item))
      at.forbid('The only option is no-new-privileges, which is always on.');
  return { noNewPrivileges: true, capDrop: ['ALL'], capAdd: [...granted].sort() };
}

function nameOf(capability: string): string {
  return capability.toUpperCase().replace(/^CAP_/, '');
}

type Words = readonly [what: string, next: string];

/** What the codes of failed deployments mean, and what helps. */
const WORDS: Readonly<Record<string, Words>> = {
  validation_failed: ['The settings are not valid.', 'Correct what is named here, then deploy again.'],
  quota_exceeded: [
    'The limits of the organisation are reached.',
    'Lower the limits of this service, delete what is no longer needed, or ask an admin for more.',
  ],
  clone_failed: ['The repository could not be fetched.', 'Check its address, branch and deploy key under Git.'],
  build_failed: [
    'The program could not be built.',
    'The log below shows the last lines of the build. Correct the program, push, and deploy again.',
  ],
  image_pull_failed: [
    'An image could not be fetched.',
    'Check its name and tag, and whether the registry lets the panel in.',
  ],
  image_label_rejected: [
    'An image uses labels that are reserved for the panel.',
    'Build the image without these labels.',
  ],
  container_create_failed: ['A container could not be created.', 'The log below says why.'],
  container_start_failed: [
    'A container could not be started.',
    'Check its command: the log below says why it did not start.',
  ],
  health_gate_failed: [
    'The new containers did not work.',
    'Look at their last lines in the log below, correct the cause, then deploy again.',
  ],
  volume_conflict: ['A volume cannot be used.', 'The log below names it.'],
  port_conflict: ['A port is already in use.', 'Choose another port, or stop what uses it.'],
  disk_full: ['The disk is full.', 'Delete what is no longer needed, or ask the operator of the panel for more room.'],
  secret_undecryptable: [
    'A stored secret could not be read.',
    'Enter the variables and secrets of this service again.',
  ],
  timeout: ['It took too long.', 'Deploy again. If it happens again, the log below shows what was slow.'],
  interrupted: ['It was interrupted.', 'Deploy again.'],
  cancelled: ['Somebody cancelled it.', 'Deploy again when you want to.'],
  backup_lost: ['A backup is lost.', 'Make a new backup, and find out what happened to the destination.'],
  backup_not_restorable: ['A backup cannot be restored.', 'Read under Backups why, and make a new one.'],
  backup_proof_old: ['No recent backup is verified.', 'Read under Backups why they fail or are not verified.'],
  docker_unavailable: [
    'The Docker Engine did not answer.',
    'Deploy again in a few minutes. If that fails too, tell the operator of the panel.',
  ],
};

/** The service runs, but its backups cannot be relied on. */
export const BACKUP_ALARMS: ReadonlySet<string> = new Set(['backup_lost', 'backup_not_restorable', 'backup_proof_old']);

/** What a code means; null for one that is not known here. */
export const wordsOf = (code: string): string | null => WORDS[code]?.[0] ?? null;

export interface Failure {
  readonly code: string | null;
  /** In plain words; null for a code that is not known here. */
  readonly what: string | null;
  readonly next: string | null;
  /** What the API says. */
  readonly detail: string;
}

/** An error message of the API: a code, a colon, and what happened in this case. */
export function failureOf(errorMessage: string): Failure {
  const [, code = null, detail = errorMessage] = /^([a-z_]+): (.*)$/s.exec(errorMessage) ?? [];
  const words = code === null ? undefined : WORDS[code];
  return { code, what: words?.[0] ?? null, next: words?.[1] ?? null, detail };
}

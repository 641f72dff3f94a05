import { z } from 'zod';
import { CliGitCheckout } from './cli-git-checkout.js';
import { GIT_LIMITS, type GitSettings } from './git-settings.js';
import { HttpsGitHostApi } from './https-git-host-api.js';

const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const PATH = z.string().startsWith('/', 'must be an absolute path').optional();

/** Settings of every process that clones repositories. */
export const gitEnv = {
  GIT_ALLOWED_HOSTS: z
    .string()
    .transform((text) =>
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    )
    .refine(
      (hosts) => hosts.every((host) => HOST.test(host)),
      'must be hosts such as git.internal or git.internal:8443',
    )
    .default([]),
  GIT_CA_FILE: PATH,
  GIT_KNOWN_HOSTS_FILE: PATH,
};

export type GitEnv = z.output<z.ZodObject<typeof gitEnv>>;

export function gitCheckoutOf(env: GitEnv): CliGitCheckout {
  return new CliGitCheckout(settingsOf(env));
}

export function gitHostApiOf(env: GitEnv): HttpsGitHostApi {
  return new HttpsGitHostApi(settingsOf(env));
}

function settingsOf(env: GitEnv): GitSettings {
  return {
    allowedHosts: new Set(env.GIT_ALLOWED_HOSTS),
    caFile: env.GIT_CA_FILE ?? null,
    knownHostsFile: env.GIT_KNOWN_HOSTS_FILE ?? null,
    limits: GIT_LIMITS,
  };
}

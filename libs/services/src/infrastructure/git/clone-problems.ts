import { CloneFailed, type CloneProblem, type CloneRequest } from '../../application/ports/git/git-checkout.js';
import type { GitEnded } from './git-process.js';

type Rule = readonly [pattern: RegExp, problem: CloneProblem, message: (request: CloneRequest) => string];

const hostOf = ({ address }: CloneRequest) => address.host;

/** Messages of git, curl and ssh, and what they mean to the user who deploys. */
const RULES: readonly Rule[] = [
  [
    /host key verification failed|no .* host key is known/i,
    'host_key_unknown',
    (request) => `The host key of ${hostOf(request)} is not known, or is another one. Pass it in known_hosts.`,
  ],
  [
    /requested URL returned error: 30\d|redirect/i,
    'failed',
    () => 'The host redirects to another address, which is not followed. Use that address directly.',
  ],
  [
    /requested URL returned error: 40[134]|could not read (?:username|password)|authentication failed|permission denied|repository .*not found|does not appear to be a git repository|not found: did you run/i,
    'not_found_or_private',
    () => 'There is no such repository, or it needs a deploy key that was not given or is not accepted.',
  ],
  [
    /remote branch .* not found|couldn't find remote ref|not our ref|unadvertised object|no such ref/i,
    'ref_not_found',
    ({ ref }) => `The repository has no ${ref.kind === 'branch' ? `branch or tag ${ref.name}` : `commit ${ref.sha}`}.`,
  ],
  [
    /fsck error|bad object|corrupt|malformed|inflate/i,
    'damaged',
    () => 'The repository contains damaged or forbidden objects, such as an entry named .git.',
  ],
  [
    /file size limit|invalid index-pack output|file too large|out of memory|cannot allocate|no space left/i,
    'too_large',
    () => 'The repository is too large.',
  ],
  [
    /operation too slow|timed out|timeout was reached/i,
    'too_slow',
    (request) => `${hostOf(request)} answers too slowly.`,
  ],
  [
    /could not resolve|failed to connect|connection (?:refused|reset|closed)|no route|network is unreachable/i,
    'host_unreachable',
    (request) => `${hostOf(request)} cannot be reached at port ${request.address.port}.`,
  ],
  [
    /certificate|ssl|tls|gnutls/i,
    'host_unreachable',
    (request) => `The certificate of ${hostOf(request)} is not trusted, or the connection is not secure.`,
  ],
];

/** @param ended its text is not shown, because it may contain text that a host has chosen */
export function problemOf(ended: GitEnded, request: CloneRequest): CloneFailed {
  if (ended.signalName === 'SIGXFSZ')
    return new CloneFailed('too_large', 'The repository is too large.', { cause: ended });
  if (ended.signalName === 'SIGXCPU' || ended.signalName === 'SIGKILL')
    return new CloneFailed('too_large', 'The repository is too expensive to unpack.', { cause: ended });
  const rule = RULES.find(([pattern]) => pattern.test(ended.stderr));
  if (rule) return new CloneFailed(rule[1], rule[2](request), { cause: ended });
  return new CloneFailed('failed', 'The repository could not be cloned.', { cause: ended });
}

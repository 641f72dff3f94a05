import { numberIn } from '../../api/number-in';
import type { ServiceSource } from '../../api/types';
import { textIn } from '../analysis/prefilled';

export const METHODS = [
  ['auto', 'Automatic (its Dockerfile, if any)'],
  ['dockerfile', 'Its Dockerfile'],
  ['nixpacks', 'Nixpacks'],
] as const;
export type Method = (typeof METHODS)[number][0];

export const methodOf = (value: unknown): Method => METHODS.find(([each]) => each === value)?.[0] ?? 'auto';

/** What the fields about a repository hold. */
export interface GitTexts {
  readonly url: string;
  readonly branch: string;
  readonly port: string;
  readonly method: Method;
  readonly folder: string;
  readonly dockerfile: string;
  /** One a line. */
  readonly watchPaths: string;
  readonly deployKey: string;
}

/** @param proposal a body of `POST /services/git` */
export const textsOfProposal = (proposal: Readonly<Record<string, unknown>>): GitTexts => ({
  url: textIn(proposal, 'git_repo_url'),
  branch: textIn(proposal, 'git_branch'),
  port: textIn(proposal, 'port'),
  method: methodOf(proposal['build_method']),
  folder: textIn(proposal, 'base_directory'),
  dockerfile: textIn(proposal, 'dockerfile_path'),
  watchPaths: '',
  deployKey: '',
});

export const textsOfSource = (git: NonNullable<ServiceSource['git']>): GitTexts => ({
  url: git.git_repo_url,
  branch: git.git_branch,
  port: String(git.port),
  method: methodOf(git.build_method),
  folder: git.base_directory,
  dockerfile: git.dockerfile_path ?? '',
  watchPaths: git.watch_paths.join('\n'),
  deployKey: '',
});

/** The fields of a request, each under the name that the API has for it. An empty one stands for the default. */
export function fieldsOf(texts: GitTexts) {
  const { url, branch, port, method, folder, dockerfile, watchPaths, deployKey } = texts;
  const paths = watchPaths
    .split('\n')
    .map((path) => path.trim())
    .filter((path) => path !== '');
  return {
    git_repo_url: url,
    git_branch: branch || null,
    port: port.trim() === '' ? null : numberIn(port),
    build_method: method,
    base_directory: folder || null,
    dockerfile_path: dockerfile || null,
    watch_paths: paths,
    ...(deployKey && { deploy_key: deployKey }),
  };
}

/** Only what is different, for a change. */
export function changedFields(before: GitTexts, after: GitTexts): Partial<ReturnType<typeof fieldsOf>> {
  const old: Readonly<Record<string, unknown>> = fieldsOf(before);
  const changed = Object.entries(fieldsOf(after)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  return Object.fromEntries(changed);
}

import { combined } from '#kernel/collect-violations';
import { Invalid } from '#kernel/errors';
import { isJsonObject } from '#kernel/text/json-object';
import { folderPath, isBranchName, parseGitAddress } from '#libs/services';
import { ComposeSourceDto } from '../services/create-service.dto.js';

type Sent = Readonly<Record<string, unknown>>;
type Check = (sent: Sent) => readonly Invalid[];

const VOLUME_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/;
const VOLUME_PATH = /^\/(?!\/)[^\0:,]{1,511}$/;

/** The checks that decorators cannot express. @throws Invalid with every field that is wrong */
export function checkGitBody(sent: Sent): void {
  const refusals = CHECKS.flatMap((check) => check(sent));
  if (refusals.length > 0) throw combined(refusals);
}

const address: Check = ({ git_repo_url: url }) => {
  if (typeof url !== 'string' || url.trim() === '') return [];
  const parsed = parseGitAddress(url.trim());
  return 'defect' in parsed ? [Invalid.field('git_repo_url', parsed.defect)] : [];
};

const branch: Check = ({ git_branch: name }) =>
  typeof name === 'string' && name !== '' && !isBranchName(name)
    ? [Invalid.field('git_branch', 'must be the name of a branch or tag')]
    : [];

const key: Check = ({ deploy_key: deployKey, git_repo_url: url }) => {
  if (typeof deployKey !== 'string' || deployKey === '') return [];
  if (typeof url === 'string' && /^https:/i.test(url.trim()))
    return [Invalid.field('deploy_key', 'is only for ssh addresses')];
  const isKey = /^-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]+-----END [A-Z ]*PRIVATE KEY-----\s*$/.test(deployKey.trim());
  return isKey ? [] : [Invalid.field('deploy_key', 'must be a private key in OpenSSH or PEM form')];
};

const folders: Check = (sent) =>
  ['base_directory', 'dockerfile_path'].flatMap((name) => {
    const value = sent[name];
    const isFit = typeof value !== 'string' || folderPath(value) !== null;
    return isFit ? [] : [Invalid.field(name, 'must be a path inside the repository')];
  });

const watched: Check = ({ watch_paths: paths }) => {
  if (!Array.isArray(paths)) return [];
  if (paths.length > 100) return [Invalid.field('watch_paths', 'must not have more than 100')];
  const isText = paths.every((path) => typeof path === 'string' && path !== '' && path.length <= 512);
  return isText ? [] : [Invalid.field('watch_paths', 'must be strings of at most 512 characters')];
};

const values: Check = (sent) =>
  ['variables', 'build_args', 'build_secrets'].flatMap((name) => {
    const given = sent[name];
    if (!isJsonObject(given)) return [];
    try {
      ComposeSourceDto.values({ variables: given });
      return [];
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      return name === 'variables' ? [error] : [renamed(error, name)];
    }
  });

const volumes: Check = ({ volumes: given }) => {
  if (!Array.isArray(given)) return [];
  if (given.length > 20) return [Invalid.field('volumes', 'must not have more than 20')];
  const isFit = given.every((volume: unknown) => {
    if (!isJsonObject(volume)) return true;
    const { name, path } = volume;
    return VOLUME_NAME.test(String(name)) && VOLUME_PATH.test(String(path)) && !String(path).split('/').includes('..');
  });
  return isFit ? [] : [Invalid.field('volumes', 'must have plain names and absolute paths')];
};

const CHECKS: readonly Check[] = [address, branch, key, folders, watched, values, volumes];

/** The same violation, reported for another field. */
function renamed({ slug, message, violations }: Invalid, name: string): Invalid {
  const moved = violations.map((violation) => ({
    ...violation,
    path: violation.path.replace(/^\/variables/, `/${name}`),
    message: violation.message.replace(/^variables/, name),
  }));
  return new Invalid(slug, message.replace(/^variables/, name), moved);
}

import { BaseImages, type BaseImageTable } from '../../domain/building/base-images.js';
import { checkDockerfile, type CheckedDockerfile } from '../../domain/building/dockerfile-images.js';
import { generateDockerfile } from '../../domain/building/generated/generated-dockerfile.js';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import { withoutCacheMounts } from '../../domain/building/run-mounts.js';
import { detect } from '../../domain/detection/detect.js';
import { subtree, type RepositoryTree } from '../../domain/detection/repository-tree.js';
import type { GitSource } from '../../domain/git/git-source.js';

const DEFAULT_NAMES = ['Dockerfile', 'dockerfile', 'Containerfile'];

export interface ChosenDockerfile extends CheckedDockerfile {
  /** Relative to the base directory. */
  readonly path: string;
  /** Files to add to those of the repository, by path relative to the base directory. */
  readonly files: ReadonlyMap<string, string>;
  readonly buildArgs: ReadonlyMap<string, string>;
}

/** The rules by which a Dockerfile is checked. */
export interface DockerfileRules {
  readonly buildArgs: ReadonlyMap<string, string>;
  readonly registries: ReadonlySet<string>;
  /** The name of the Dockerfile in error messages. */
  readonly name: string;
}

const NO_FILES: ReadonlyMap<string, string> = new Map();

/**
 * Chooses the Dockerfile for a repository: its own, or one generated from its files.
 * @param say writes to the log how it was chosen
 * @throws DeployFailure `build_failed`
 */
export async function chooseDockerfile(
  repository: RepositoryTree,
  source: GitSource,
  given: { readonly baseImages: BaseImageTable; readonly allowedRegistries: ReadonlySet<string> },
  say: (text: string) => void,
): Promise<ChosenDockerfile> {
  const buildArgs = new Map(Object.entries(source.buildArgs));
  const tree = subtree(repository, source.baseDirectory);
  if (tree.list().length === 0)
    throw new DeployFailure('build_failed', `The repository has no folder ${source.baseDirectory} with files in it.`);
  const paths = new Set(tree.list().map(({ path }) => path));
  const path = source.dockerfilePath ?? DEFAULT_NAMES.find((name) => paths.has(name)) ?? null;
  const own = path === null ? null : await tree.read(path);
  if (path !== null && own !== null) {
    say(`Building with ${path}.`);
    const rules = { buildArgs, registries: given.allowedRegistries, name: path };
    return { path, files: NO_FILES, buildArgs, ...checkChosen(own, rules, say) };
  }
  if (path !== null) throw new DeployFailure('build_failed', `The repository has no file ${path} that is readable.`);
  if (source.buildMethod === 'dockerfile')
    throw new DeployFailure('build_failed', 'The repository has no Dockerfile. Set dockerfile_path to its path.');
  const made = await generated(tree, source, given.baseImages, say);
  // The operator wrote the table of base images, so its registries are allowed.
  const registries = new Set([...given.allowedRegistries, ...made.registries]);
  const rules = { buildArgs, registries, name: 'The generated Dockerfile' };
  return { path: 'Dockerfile', files: NO_FILES, buildArgs, ...checkChosen(made.text, rules, say) };
}

async function generated(
  tree: RepositoryTree,
  source: GitSource,
  table: BaseImageTable,
  say: (text: string) => void,
): Promise<{ readonly text: string; readonly registries: readonly string[] }> {
  const detection = await detect(tree);
  if (!detection)
    throw new DeployFailure('build_failed', 'No language was recognised. Add a Dockerfile, or a base_directory.');
  for (const { fact, value, evidence } of detection.findings)
    say(`${fact.replaceAll('_', ' ')}: ${value} (${evidence.path}:${evidence.line})`);
  const images = new BaseImages(table);
  const text = generateDockerfile(detection, { images, port: source.port });
  for (const warning of [...detection.warnings, ...images.warnings]) say(`Warning: ${warning}`);
  say(`The generated Dockerfile:\n${text}`);
  const registries = Object.values(table).flatMap((versions) =>
    Object.values(versions ?? {}).map((image) => image.split('/')[0]!.toLowerCase()),
  );
  return { text, registries };
}

/** @throws DeployFailure `build_failed` with the line */
export function checkChosen(
  written: string,
  { buildArgs, registries, name }: DockerfileRules,
  say: (text: string) => void,
): CheckedDockerfile {
  const { text, isChanged } = withoutCacheMounts(written);
  if (isChanged) say('Warning: cache_mounts_ignored: RUN --mount=type=cache is left out; the steps run without it.');
  const checked = checkDockerfile(text, buildArgs, registries);
  if ('message' in checked) throw new DeployFailure('build_failed', `${name}:${checked.line}: ${checked.message}`);
  return checked;
}

import { visibleText } from '#kernel/text/visible-text';
import type { RepositoryTree, TreeEntry } from '#libs/services';
import { withinBudget } from '../../domain/prompt/token-budget.js';
import type { PromptFile } from '../../domain/prompt/prompt.js';

const MAX_FILES = 40;
const MAX_LISTED = 300;
const MAX_PATH_LENGTH = 200;
const MAX_FILE_BYTES = 200_000;

/** Patterns of informative files, the most informative first. */
const WORTH: readonly RegExp[] = [
  /^README(?:\.md|\.rst|\.txt)?$/i,
  /^(?:package\.json|pyproject\.toml|requirements\.txt|Pipfile|go\.mod|composer\.json|Gemfile|pom\.xml|Cargo\.toml)$/,
  /^(?:Dockerfile|Procfile|docker-compose\.ya?ml|compose\.ya?ml|app\.json|fly\.toml|render\.yaml)$/,
  /^\.?env\.(?:example|sample|template|dist)$|^\.env\.(?:example|sample|template|dist|defaults)$/,
  /^(?:src\/)?(?:main|index|server|app|settings|config|manage|wsgi|asgi)\.(?:[cm]?[jt]s|py|go|rb|php|rs)$/,
  /(?:^|\/)(?:config|settings|environment)[\w.-]*\.(?:[cm]?[jt]s|py|go|rb|php|ya?ml|toml|json)$/,
  /(?:^|\/)(?:main|server|app|index)\.(?:[cm]?[jt]s|py|go|rb|php|rs)$/,
];
/** Files that may contain secrets, or are too bulky to be useful. */
const LEFT_OUT =
  /(?:^|\/)(?:\.env|\.env\.(?:local|production|development|test)|id_[a-z0-9]+|[^/]*\.(?:pem|key|p12|pfx|crt|lock|min\.js|map|svg|sum))$|(?:^|\/)(?:node_modules|vendor|dist|build|\.git)\/|(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml)$/;

/** The files for the model, within a budget of tokens. A list of all paths comes first. */
export async function chooseFiles(tree: RepositoryTree, tokens: number): Promise<readonly PromptFile[]> {
  const entries = tree.list().filter(isShown);
  const chosen = entries
    .map(({ path }) => ({ path, worth: WORTH.findIndex((pattern) => pattern.test(path)) }))
    .filter(({ worth }) => worth >= 0)
    .sort((one, other) => one.worth - other.worth || one.path.length - other.path.length)
    .slice(0, MAX_FILES);
  const paths = entries.slice(0, MAX_LISTED).map(({ path }) => visibleText(path).replace(/\s/g, ' '));
  const files: PromptFile[] = [{ path: '(paths)', text: paths.join('\n') }];
  for (const { path } of chosen) {
    const text = await tree.read(path);
    if (text !== null) files.push({ path, text: visibleText(text) });
  }
  return withinBudget(files, tokens);
}

function isShown({ path, kind, bytes }: TreeEntry): boolean {
  const isFile = kind === 'file' || kind === 'executable';
  return isFile && bytes <= MAX_FILE_BYTES && path.length <= MAX_PATH_LENGTH && !LEFT_OUT.test(path);
}

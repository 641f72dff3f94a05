/** What to clone: the tip of a branch or tag, or one commit. Tags have the kind `branch`. */
export type GitRef =
  { readonly kind: 'branch'; readonly name: string } | { readonly kind: 'commit'; readonly sha: string };

const MAX_NAME_LENGTH = 255;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Null if it is neither a full commit id nor a valid name of a branch or tag. */
export function parseGitRef(text: string): GitRef | null {
  if (COMMIT.test(text.toLowerCase())) return { kind: 'commit', sha: text.toLowerCase() };
  return isBranchName(text) ? { kind: 'branch', name: text } : null;
}

/** Applies the rules of `git check-ref-format --branch`. Git cannot take such a name for an option or a revision. */
export function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || name.length > MAX_NAME_LENGTH || name.startsWith('-')) return false;
  if (/[\x00-\x20\x7f~^:?*[\\]/.test(name) || name.includes('..') || name.includes('@{')) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !/\.(?:lock)?$/.test(part));
}

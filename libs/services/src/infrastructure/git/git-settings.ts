/** Bounds of one clone. */
export interface GitLimits {
  /** Of the packed history as it comes over the network. */
  readonly packBytes: number;
  /** Of all files together, unpacked. */
  readonly treeBytes: number;
  readonly entries: number;
  /** From the first look at the host to the last look at the tree. */
  readonly wallMs: number;
  /** As long may a connection carry less than a kilobyte a second. */
  readonly silenceSeconds: number;
}

export const GIT_LIMITS: GitLimits = {
  packBytes: 512 * 1024 * 1024,
  treeBytes: 2 * 1024 * 1024 * 1024,
  entries: 100_000,
  wallMs: 120_000,
  silenceSeconds: 20,
};

export interface GitSettings {
  /** `host` or `host:port` that may lie at a private address. */
  readonly allowedHosts: ReadonlySet<string>;
  /** PEM file of authorities for https, besides the usual ones; null: none. */
  readonly caFile: string | null;
  /** Host keys besides those of the large hosts; null: none. */
  readonly knownHostsFile: string | null;
  readonly limits: GitLimits;
}

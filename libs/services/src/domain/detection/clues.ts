import type { Detection, Evidence, Fact, Finding } from './detection.js';
import type { RepositoryTree } from './repository-tree.js';

/** A text of the repository that can tell on which line something stands. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** A value with its place. */
export interface Clue {
  readonly value: string;
  readonly evidence: Evidence;
}

/** Looks through a repository and collects what it finds, each with its place. */
export class Clues {
  readonly findings: Finding[] = [];
  readonly warnings: string[] = [];
  readonly #paths: ReadonlySet<string>;

  constructor(private readonly tree: RepositoryTree) {
    this.#paths = new Set(tree.list().map(({ path }) => path));
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** The first of these files that there is. */
  first(...paths: readonly string[]): string | null {
    return paths.find((path) => this.has(path)) ?? null;
  }

  /** Every path that the pattern matches, in their order. */
  matching(pattern: RegExp): readonly string[] {
    return [...this.#paths].filter((path) => pattern.test(path));
  }

  async source(path: string): Promise<SourceText | null> {
    if (!this.has(path)) return null;
    const text = await this.tree.read(path);
    return text === null ? null : { path, text };
  }

  async json(path: string): Promise<(SourceText & { readonly data: Readonly<Record<string, unknown>> }) | null> {
    const source = await this.source(path);
    if (!source) return null;
    try {
      const data: unknown = JSON.parse(source.text);
      if (data !== null && typeof data === 'object' && !Array.isArray(data))
        return { ...source, data: data as Record<string, unknown> };
    } catch {
      // Said below: a file of that name with something else in it.
    }
    this.warnings.push(`${path} is no valid JSON and was not read.`);
    return null;
  }

  /** Keeps a finding, unless that fact is known already: what is said first counts. @returns the value that counts */
  note(fact: Fact, { value, evidence }: Clue): string {
    const known = this.findings.find((finding) => finding.fact === fact);
    if (known) return known.value;
    this.findings.push({ fact, value, evidence });
    return value;
  }

  valueOf(fact: Fact): string | null {
    return this.findings.find((finding) => finding.fact === fact)?.value ?? null;
  }

  /** What all detections have in common; the language fills in the rest. */
  conclude(
    own: Omit<Detection, 'findings' | 'warnings' | 'framework' | 'packageManager'> & Partial<Detection>,
  ): Detection {
    return {
      framework: this.valueOf('framework'),
      packageManager: this.valueOf('package_manager'),
      findings: this.findings,
      warnings: this.warnings,
      ...own,
    };
  }
}

/** The first match of the pattern, line by line; its first group, else the whole match, is the value. */
export function find(source: SourceText | null, pattern: RegExp): Clue | null {
  if (!source) return null;
  for (const [index, line] of source.text.split('\n').entries()) {
    const match = pattern.exec(line);
    if (match) return { value: (match[1] ?? match[0]).trim(), evidence: { path: source.path, line: index + 1 } };
  }
  return null;
}

/** Line 1 of a file that speaks by being there. */
export function presence(value: string, path: string): Clue {
  return { value, evidence: { path, line: 1 } };
}

/** A JSON property's line, `"name":`, for the value that was read by parsing. */
export function property(source: SourceText, name: string, value: string): Clue {
  const quoted = name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const evidence = find(source, new RegExp(`"${quoted}"\\s*:`))?.evidence ?? { path: source.path, line: 1 };
  return { value, evidence };
}

import type { Detection, Evidence, Fact, Finding } from './detection.js';
import type { RepositoryTree } from './repository-tree.js';

/** A file of the repository, with its path for the evidence. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** A value and the place where it was found. */
export interface Clue {
  readonly value: string;
  readonly evidence: Evidence;
}

/** Reads a repository and collects findings with their evidence. */
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

  /** The first of these files that exists. */
  first(...paths: readonly string[]): string | null {
    return paths.find((path) => this.has(path)) ?? null;
  }

  /** All paths that match the pattern, sorted. */
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
      // The warning below covers files that are not JSON and files that are not objects.
    }
    this.warnings.push(`${path} is not a JSON object and was ignored.`);
    return null;
  }

  /** Keeps a finding unless the fact is already known: the first one wins. @returns the value that is kept */
  note(fact: Fact, { value, evidence }: Clue): string {
    const known = this.findings.find((finding) => finding.fact === fact);
    if (known) return known.value;
    this.findings.push({ fact, value, evidence });
    return value;
  }

  valueOf(fact: Fact): string | null {
    return this.findings.find((finding) => finding.fact === fact)?.value ?? null;
  }

  /** Completes the detection of a language with the fields that all languages have in common. */
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

/** The first line that matches. The value is the first group of the pattern or, without groups, the whole match. */
export function find(source: SourceText | null, pattern: RegExp): Clue | null {
  if (!source) return null;
  for (const [index, line] of source.text.split('\n').entries()) {
    const match = pattern.exec(line);
    if (match) return { value: (match[1] ?? match[0]).trim(), evidence: { path: source.path, line: index + 1 } };
  }
  return null;
}

/** A clue for which the existence of the file is the evidence. It points to line 1. */
export function presence(value: string, path: string): Clue {
  return { value, evidence: { path, line: 1 } };
}

/** A clue for a value from parsed JSON. It points to the line of the property. */
export function property(source: SourceText, name: string, value: string): Clue {
  const quoted = name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const evidence = find(source, new RegExp(`"${quoted}"\\s*:`))?.evidence ?? { path: source.path, line: 1 };
  return { value, evidence };
}

import { Invalid } from '#kernel/errors';
import type { LineProblem } from './import-line.js';
import type { ProblemSample } from './ports/import-staging.js';

const SHOWN = 100;

/** The problems of a file: the first 100 in full, the others as a count. */
export class LineProblems {
  private readonly shown: LineProblem[] = [];
  private counted = 0;

  get count(): number {
    return this.counted;
  }

  add(...problems: readonly LineProblem[]): void {
    for (const problem of problems) {
      this.counted++;
      if (this.shown.length < SHOWN) this.shown.push(problem);
    }
  }

  addSample({ problems, total }: ProblemSample): void {
    this.add(...problems);
    this.counted += Math.max(0, total - problems.length);
  }

  /** @throws Invalid `import-refused` naming line and field of each problem, in the order of the file */
  refuse(): void {
    if (this.counted === 0) return;
    const lines = [...this.shown]
      .sort((a, b) => a.line - b.line)
      .map(({ line, message }) => `line ${line}: ${message}`);
    if (this.counted > lines.length) lines.push(`and ${this.counted - lines.length} more`);
    throw new Invalid('import-refused', `Nothing was imported.\n${lines.join('\n')}`);
  }
}

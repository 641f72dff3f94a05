import type pg from 'pg';
import { JointQuery, type Question } from './joint-query.js';
import { leaveTogether } from './leave-together.js';
import type { NamedStatement } from './named-statement.js';
import type { TextRow } from '../connections/page-connections.js';

/** What is asked over a pipelined connection in one go is one `JointQuery`; what fails there fails alone. */
export class JointReads {
  private waiting: Question[] = [];

  constructor(private readonly client: pg.Client) {}

  rows(statement: NamedStatement, values: readonly unknown[]): Promise<TextRow[]> {
    return new Promise((resolve, reject) => {
      if (this.waiting.push({ statement, values, resolve, reject }) === 1) this.sendSoon();
      leaveTogether(this.client);
    });
  }

  /** As late as `leaveTogether` lets go of what it holds, and just before it does. */
  private sendSoon(): void {
    process.nextTick(() =>
      process.nextTick(() => {
        const questions = this.waiting;
        this.waiting = [];
        this.send(questions);
      }),
    );
  }

  private send(questions: readonly Question[]): void {
    this.client.query(
      new JointQuery(questions, (leftOut) => {
        for (const question of leftOut) this.send([question]);
      }),
    );
  }
}

import { Command } from 'commander';
import type { CommandLine } from '../../command-line.js';
import type { Terminal } from '../../terminal/terminal.js';
import { correctStatement } from './statements/correct.js';
import { exportStatement } from './statements/export.js';
import { finalizeStatements } from './statements/finalize.js';
import { listStatements } from './statements/list.js';
import { reviewStatements } from './statements/review.js';
import { showStatement } from './statements/show.js';

export function statementsCommand(cli: CommandLine, terminal: Terminal): Command {
  const group = new Command('statements');
  listStatements(group, cli);
  showStatement(group, cli);
  exportStatement(group, cli);
  reviewStatements(group, cli, terminal);
  finalizeStatements(group, cli, terminal);
  correctStatement(group, cli, terminal);
  return group;
}

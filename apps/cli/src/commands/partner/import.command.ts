import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import cliProgress from 'cli-progress';
import { Command } from 'commander';
import { HistoryImport, LINE_TYPES, readJsonLines, type ImportProgress, type ImportReport } from '#libs/licensing';
import { Clock } from '#kernel/time/clock';
import { Invalid } from '#kernel/errors';
import type { CommandLine } from '../../command-line.js';

const CHUNK_BYTES = 262_144;

export function importCommand(cli: CommandLine): Command {
  return cli.withApplication(
    new Command('import')
      .argument('<file>', 'the import is all or nothing, and can be repeated')
      .option('--dry-run', 'validate everything and change nothing')
      .addHelpText('after', '\nExample: cli import history.jsonl --dry-run'),
    async (app, options, [file = '']) => {
      const dryRun = options.dryRun === true;
      const size = await sizeOf(file);
      const source: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: CHUNK_BYTES });
      const lines = readJsonLines(source, app.get(Clock).now());
      const progress = new ProgressBars(size);
      try {
        const report = await app.get(HistoryImport, { strict: false }).run(lines, dryRun, progress);
        progress.stop();
        return {
          json: { dryRun, ...report },
          table: tableOf(report),
          text: dryRun ? 'Nothing was changed.' : 'Imported.',
        };
      } finally {
        progress.stop();
      }
    },
  );
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw Invalid.field('file', 'cannot be read');
  return found.size;
}

function tableOf({ imported, skipped }: ImportReport) {
  return {
    head: ['type', 'imported', 'skipped'],
    rows: LINE_TYPES.map((type) => [type, imported[type], skipped[type]]),
  };
}

/** Progress bars for the file and for the licenses, on stderr and only on a terminal. */
class ProgressBars implements ImportProgress {
  private bar: cliProgress.SingleBar | null = null;

  constructor(bytes: number) {
    this.start('reading ', bytes, 'bytes');
  }

  read(bytes: number): void {
    this.bar?.increment(bytes);
  }

  startLicenses(total: number): void {
    this.start('licenses', total, 'licenses');
  }

  licensesDone(count: number): void {
    this.bar?.increment(count);
  }

  stop(): void {
    this.bar?.stop();
    this.bar = null;
  }

  private start(title: string, total: number, unit: string): void {
    this.stop();
    if (total === 0) return;
    const format = `${title} {bar} {percentage}% | {value}/{total} ${unit} | {eta_formatted} left`;
    this.bar = new cliProgress.SingleBar(
      { format, stream: process.stderr, hideCursor: true },
      cliProgress.Presets.shades_classic,
    );
    this.bar.start(total, 0);
  }
}

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { StatementQueries } from '#libs/billing';
import { PartnerAccount } from '#libs/partners';
import { partnerNames } from '../../../billing/partner-names.js';
import type { CommandLine } from '../../../command-line.js';
import { choice, text, uuidValue } from '../../../option-values.js';
import { ownerOf } from '../../../searched-subtrees.js';

const FORMATS = ['csv', 'json'] as const;
const HEAD = ['partner', 'month', 'rev.', 'file', 'bytes', 'sha256'];

export function exportStatement(group: Command, cli: CommandLine): void {
  cli.withApplication(
    group
      .command('export <id>')
      .description('write a finalized statement to a file, byte for byte as the partner downloads it')
      .option('--format <format>', FORMATS.join(', '), 'csv')
      .option('--out <file>', 'file to write (default: the name of the statement, in this folder)')
      .addHelpText('after', '\nNever overwrites a file.\n\nExample: cli statements export 7d0e3a52-… --format json'),
    async (app, options, [id]) => {
      const [statementId, format] = [uuidValue(id, 'id'), choice(options, 'format', FORMATS)];
      const queries = app.get(StatementQueries, { strict: false });
      const { partnerId, period, revision } = (await queries.show(statementId)).statement;
      const { fileName, content } = await queries.export(PartnerAccount.of(partnerId), statementId, format);
      const file = options.out === undefined ? fileName : text(options, 'out');
      const { bytes, sha256 } = await write(file, content);
      const partner = ownerOf(await partnerNames(app), partnerId);
      const row = [partner, period.toString(), revision, file, bytes, sha256];
      return {
        json: { statementId, partnerId, partnerName: partner, file, format, bytes, sha256 },
        table: { head: HEAD, rows: [row] },
      };
    },
  );
}

async function write(file: string, content: AsyncIterable<Buffer>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  };
  await pipeline(Readable.from(counted(content)), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  return { bytes, sha256: hash.digest('hex') };
}

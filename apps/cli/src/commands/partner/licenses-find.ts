import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { LicenseQueries, type LicenseView } from '#libs/licensing';
import type { PartnerSubtree } from '#libs/partners';
import { NotFound } from '#kernel/errors';
import { PageRequest } from '#kernel/page';
import { parseUuid } from '#kernel/crypto/uuid';
import { numberInHumanId } from '#kernel/text/human-id';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import type { CommandLine } from '../../command-line.js';
import { textValue } from '../../option-values.js';
import { foundWithPartner, type WithPartner } from '../../searched-subtrees.js';

const HEAD = ['license', 'id', 'partner', 'customer', 'edition', 'state', 'key', 'reference', 'issued'];
const AT_MOST = 50;

/** `licenses find`: searches by the identifiers that a caller on the telephone can read out. */
export function findLicenses(cli: CommandLine, group: Command): void {
  cli.withApplication(
    group
      .command('find <what>')
      .description('find licenses by L-number, id, id of the customer, or external billing reference')
      .option('--partner <id>', 'only those of this partner and the partners below it')
      .addHelpText('after', `\nShows the newest ${AT_MOST} of each root.\n\nExample: cli licenses find L-42`),
    async (app, options, [given]) => {
      const what = textValue(given, 'what');
      const found = await foundWithPartner(app, options, (subtree) => inSubtree(app, subtree, what));
      return {
        json: found,
        table: { head: HEAD, rows: found.map(row) },
        ...(found.length === 0 && { text: `No license found for ${what}.` }),
      };
    },
  );
}

async function inSubtree(app: INestApplicationContext, subtree: PartnerSubtree, what: string): Promise<LicenseView[]> {
  const queries = app.get(LicenseQueries, { strict: false });
  const today = BillingDate.of(app.get(Clock, { strict: false }).now());
  const page = PageRequest.lenient(AT_MOST, 0);
  const number = numberInHumanId('license', what);
  const numbered = number === null ? null : await queries.numbered(subtree, number, today);
  if (numbered) return [numbered];
  const id = parseUuid(what);
  if (!id) return queries.list(subtree, { externalBillingRef: what }, page, today);
  const one = await queries.get(subtree, id, today).catch(nullWhenMissing);
  return one ? [one] : queries.list(subtree, { customerId: id }, page, today);
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof NotFound) return null;
  throw error;
}

function row(license: WithPartner<LicenseView>) {
  const { humanId, id, partnerName, customerId, edition, state, keyMasked, externalBillingRef, issuedAt } = license;
  return [humanId, id, partnerName, customerId, edition, state, keyMasked, externalBillingRef, issuedAt];
}

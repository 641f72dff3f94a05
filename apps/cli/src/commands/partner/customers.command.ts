import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { CustomerQueries, type Customer } from '#libs/customers';
import type { PartnerSubtree } from '#libs/partners';
import { NotFound } from '#kernel/errors';
import { PageRequest } from '#kernel/page';
import { parseUuid } from '#kernel/crypto/uuid';
import { numberInHumanId } from '#kernel/text/human-id';
import type { CommandLine } from '../../command-line.js';
import { textValue } from '../../option-values.js';
import { foundWithPartner, type WithPartner } from '../../searched-subtrees.js';

const HEAD = ['customer', 'id', 'name', 'partner', 'e-mail', 'reference', 'status'];
const AT_MOST = 50;

export function customersCommand(cli: CommandLine): Command {
  const group = new Command('customers');
  cli.withApplication(
    group
      .command('find <what>')
      .description('find customers by C-number, id, or part of a name, e-mail address or external reference')
      .option('--partner <id>', 'only those of this partner and the partners below it')
      .addHelpText('after', `\nShows the newest ${AT_MOST} of each root.\n\nExample: cli customers find harbour`),
    async (app, options, [given]) => {
      const what = textValue(given, 'what');
      const found = await foundWithPartner(app, options, (subtree) => inSubtree(app, subtree, what));
      return {
        json: found,
        table: { head: HEAD, rows: found.map(row) },
        ...(found.length === 0 && { text: `No customer found for ${what}.` }),
      };
    },
  );
  return group;
}

async function inSubtree(app: INestApplicationContext, subtree: PartnerSubtree, what: string): Promise<Customer[]> {
  const queries = app.get(CustomerQueries, { strict: false });
  const number = numberInHumanId('customer', what);
  const numbered = number === null ? null : await queries.numbered(subtree, number);
  if (numbered) return [numbered];
  const id = parseUuid(what);
  if (!id) return queries.list(subtree, { q: what }, PageRequest.lenient(AT_MOST, 0));
  return queries.get(subtree, id).then(
    (customer) => [customer],
    (error: unknown) => {
      if (error instanceof NotFound) return [];
      throw error;
    },
  );
}

function row({ humanId, id, name, partnerName, email, externalRef, status }: WithPartner<Customer>) {
  return [humanId, id, name, partnerName, email, externalRef, status];
}

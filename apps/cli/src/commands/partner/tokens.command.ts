import { Command } from 'commander';
import { NotFound } from '#kernel/errors';
import { PartnerAccount } from '#libs/partners';
import { SCOPES, Tokens, type TokenRecord } from '#libs/tokens';
import type { CommandLine } from '../../command-line.js';
import { existingPartner } from '../../existing-partner.js';
import { choice, text, uuidOption, uuidValue } from '../../option-values.js';

const HEAD = ['id', 'label', 'prefix', 'scope', 'created', 'last used', 'revoked'];

export function tokensCommand(cli: CommandLine): Command {
  const group = new Command('tokens');
  cli.withApplication(
    group
      .command('create')
      .description('create a token and print it once')
      .requiredOption('--partner <id>', 'the partner that the token belongs to')
      .requiredOption('--label <label>', 'its purpose')
      .requiredOption('--scope <scope>', SCOPES.join(' or '))
      .addHelpText('after', '\nExample: cli tokens create --partner 6f6c1d7e-… --label "billing sync" --scope read'),
    async (app, options) => {
      const partnerId = uuidOption(options, 'partner');
      const input = { label: text(options, 'label'), scope: choice(options, 'scope', SCOPES) };
      const account = PartnerAccount.of(await existingPartner(app, partnerId));
      const { record, secret } = await app.get(Tokens).create(account, input, null);
      return {
        json: { ...record, token: secret.reveal() },
        table: { head: HEAD, rows: [row(record)] },
        text: `Token (shown only once): ${secret.reveal()}`,
      };
    },
  );
  cli.withApplication(
    group
      .command('list')
      .description('list the tokens of a partner, newest first')
      .requiredOption('--partner <id>', 'the partner')
      .addHelpText('after', '\nExample: cli tokens list --partner 6f6c1d7e-…'),
    async (app, options) => {
      const account = PartnerAccount.of(await existingPartner(app, uuidOption(options, 'partner')));
      const tokens = await app.get(Tokens).list(account);
      return { json: tokens.map(record), table: { head: HEAD, rows: tokens.map(row) } };
    },
  );
  cli.withApplication(
    group
      .command('revoke <id>')
      .description('revoke a token permanently')
      .addHelpText('after', '\nExample: cli tokens revoke 0b0c6e0e-…'),
    async (app, _options, [id]) => {
      const tokenId = uuidValue(id, 'id');
      const owner = await app.get(Tokens).ownerOf(tokenId);
      if (!owner) throw new NotFound();
      await app.get(Tokens).revoke(PartnerAccount.of(owner), tokenId);
      return { json: { id: tokenId, revoked: true }, text: 'Revoked.' };
    },
  );
  return group;
}

function record({
  id,
  partnerId,
  label,
  tokenPrefix,
  scope,
  createdBy,
  createdAt,
  lastUsedAt,
  revokedAt,
}: TokenRecord) {
  return { id, partnerId, label, tokenPrefix, scope, createdBy, createdAt, lastUsedAt, revokedAt };
}

function row({ id, label, tokenPrefix, scope, createdAt, lastUsedAt, revokedAt }: TokenRecord) {
  return [id, label, tokenPrefix, scope, createdAt, lastUsedAt, revokedAt];
}

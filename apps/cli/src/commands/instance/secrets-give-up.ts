import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { SEALED_KINDS, SEALED_SIGNING_KEYS } from '#database/sealed-kinds';
import { StartRefused } from '#platform/start-refused';
import type { CommandLine } from '../../command-line.js';
import { confirm } from '../../terminal/confirm.js';
import type { Terminal } from '../../terminal/terminal.js';

/** For a key ring that is permanently lost: the installation continues with its current one. */
export function secretsGiveUp(cli: CommandLine, terminal: Terminal): Command {
  return cli.withApplication(
    new Command('give-up')
      .description('continue with another key ring when the old one is permanently lost')
      .option('--yes', 'do not ask')
      .addHelpText(
        'after',
        '\nLists what the key ring in SECRETS_KEYS cannot decrypt, and lets the processes start anyway.' +
          '\nNothing is deleted: if you add the old keys after the new ones, everything can be decrypted again.' +
          '\n\nExample: cli secrets give-up --yes',
      ),
    async (app, options) => {
      const ring = (await cli.settings()).SECRETS_KEYS;
      if (!ring) throw new StartRefused('SECRETS_KEYS: is required.');
      const [{ DataSource }, { namesOf, proveKeyRing }, { surveySealed }] = await Promise.all([
        import('typeorm'),
        import('#platform/sealed/key-ring-proof'),
        import('#platform/sealed/survey-sealed'),
      ]);
      const database = app.get(DataSource, { strict: false });
      const lost = (await surveySealed(database, ring, SEALED_KINDS)).filter(({ opens }) => !opens);
      if (lost.length > 0) await confirm(`Continue without ${namesOf(lost)}?`, options, terminal);
      if (lost.some(({ kind }) => kind === SEALED_SIGNING_KEYS)) await newSigningKey(app);
      await proveKeyRing(database, ring);
      return {
        json: { lost: lost.map(({ kind, keyId, count }) => ({ what: kind.what, key: keyId, count })) },
        text: lost.length > 0 ? `Lost: ${namesOf(lost)}.` : 'The key ring opens everything: nothing is lost.',
      };
    },
  );
}

/** Documents signed by the previous key remain valid, because its public key is still published. */
async function newSigningKey(app: INestApplicationContext): Promise<void> {
  const { SigningKeys } = await import('#libs/licensing');
  await app.get(SigningKeys, { strict: false }).rotate();
}

import { Command } from 'commander';
import type { CommandLine } from '../../command-line.js';
import type { StorageSideSettings } from '../../sides/storage-side.js';

/** The keys that decrypt backups without the panel. */
export function backupsKeys<S extends StorageSideSettings>(cli: CommandLine<S>): Command {
  const command = new Command('keys')
    .description("show the public key that backups are sealed to; the panel's private key only with --export")
    .option('--export', 'print the private key too: whoever has it can read every backup')
    .addHelpText(
      'after',
      '\nKeep the private key away from this machine. It opens a downloaded backup without the panel:' +
        '\n  age -d -i key.txt backup.age > backup' +
        '\n\nExample: cli backups keys --export > key.txt',
    );
  return cli.withApplication(command, async (app, options) => {
    const { PanelBackupKey } = await import('#libs/backups');
    const keys = await app.get(PanelBackupKey, { strict: false }).all();
    const further = (await cli.settings()).BACKUP_AGE_RECIPIENT ?? null;
    const [{ recipient }] = keys;
    if (options.export !== true)
      return {
        json: { publicKey: recipient, furtherPublicKey: further },
        text: `${recipient}${further === null ? '' : `\n${further} (BACKUP_AGE_RECIPIENT)`}`,
      };
    const privateKeys = keys.map(({ identity }) => identity.reveal());
    return {
      json: { publicKey: recipient, furtherPublicKey: further, privateKeys },
      // The format of age-keygen, so that the output can be saved as a key file.
      text: keys.map((key) => `# public key: ${key.recipient}\n${key.identity.reveal()}`).join('\n'),
    };
  });
}

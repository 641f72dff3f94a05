import { Command } from 'commander';
import type { CommandLine } from '../../command-line.js';
import { makeDemoData } from '../../demo/demo-data.js';

/** Called by `npm start` on the first run. Called again, it keeps the demo partners and creates new credentials. */
export function demoCommand(cli: CommandLine): Command {
  return cli.withApplication(new Command('demo').addHelpText('after', '\nExample: cli demo --json'), async (app) => {
    const demo = await makeDemoData(app);
    return { json: demo, text: `Demo data: ${demo.partners.length} partners.` };
  });
}

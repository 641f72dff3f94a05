import { Command } from 'commander';
import type { LocalModelState } from '#libs/analysis';
import type { CommandLine, Options } from '../../command-line.js';
import { confirm } from '../../terminal/confirm.js';
import { text } from '../../option-values.js';
import type { Terminal } from '../../terminal/terminal.js';
import { WrongUsage } from '../../wrong-usage.js';

const FOLLOW = 'A worker does this. Run `cli ai status` to see its progress.';

/** The bundled local model. Only staff can install or see it. */
export function aiCommand(cli: CommandLine, terminal: Terminal): Command {
  const group = new Command('ai');
  cli.withApplication(
    group
      .command('install')
      .description('run a language model on the Docker engine, for the analysis of repositories')
      .option('--image <image>', 'a server with an OpenAI-compatible API that takes the options of llama.cpp')
      .option('--model <model>', 'the model to download and serve')
      .option('--memory-mb <megabytes>', 'memory limit of its container')
      .option('--cpu-cores <cores>', 'CPU limit of its container, in cores')
      .addHelpText('after', '\nExample: cli ai install --memory-mb 6144'),
    async (app, options) => {
      const { LocalModel } = await import('#libs/analysis');
      const wanted = {
        image: options.image === undefined ? null : text(options, 'image'),
        model: options.model === undefined ? null : text(options, 'model'),
        limits: {
          ...(options['memoryMb'] === undefined ? {} : { memoryMb: amount(options, 'memoryMb', '--memory-mb') }),
          ...(options['cpuCores'] === undefined ? {} : { cpuCores: amount(options, 'cpuCores', '--cpu-cores') }),
        },
      };
      const accepted = await app.get(LocalModel, { strict: false }).install(wanted);
      return { json: accepted, text: `The local model is being installed. ${FOLLOW}` };
    },
  );
  cli.withApplication(
    group
      .command('status')
      .description('show whether a local model is installed and ready')
      .addHelpText('after', '\nExample: cli ai status --json'),
    async (app) => {
      const { LocalModel } = await import('#libs/analysis');
      const state = await app.get(LocalModel, { strict: false }).state();
      return { json: state ? { installed: true, ...state } : { installed: false }, ...told(state) };
    },
  );
  cli.withApplication(
    group
      .command('remove')
      .description('remove the local model and its file')
      .option('--yes', 'do not ask')
      .addHelpText('after', '\nExample: cli ai remove --yes'),
    async (app, options) => {
      const { LocalModel } = await import('#libs/analysis');
      await confirm('Remove the local model and its file?', options, terminal);
      const removed = await app.get(LocalModel, { strict: false }).remove();
      return { json: removed, text: `The local model is being removed. ${FOLLOW}` };
    },
  );
  return group;
}

function told(state: LocalModelState | null) {
  if (!state) return { text: 'No local model is installed.' };
  const { serviceId, status, image, model, isReady, statusReason } = state;
  const rows = [
    ['service', serviceId],
    ['status', status],
    ['image', image],
    ['model', model],
    ['can be asked', isReady ? 'yes' : 'no'],
  ];
  return { table: { head: ['', ''], rows }, ...(statusReason ? { text: statusReason.message } : {}) };
}

/** @throws WrongUsage naming the option */
function amount(options: Options, name: string, option: string): number {
  const value = Number(options[name]);
  if (!(value > 0)) throw WrongUsage.value(option, 'must be a number above 0');
  return value;
}

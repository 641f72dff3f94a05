import { parseArgs } from 'node:util';
import { Refusal } from '../refusal.mjs';

export const HELP = `npm start [-- options]

  --no-demo     make no demo data
  --ephemeral   temporary folder and free ports; prints .data/demo.json's content on one line when ready,
                nothing else on stdout; everything is removed at the end
  --new-keys    go on with another key ring than that of the existing data, when the old one is lost for good;
                names what is lost with it
  --watch       restart what changes, logs on this terminal (npm run dev)
  --help        this page

Example: npm start -- --no-demo
Settings come from the environment and from .env: see .env.example.
`;

const OPTIONS = {
  'no-demo': { type: 'boolean', default: false },
  ephemeral: { type: 'boolean', default: false },
  'new-keys': { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

/** @returns {{ demo: boolean, newKeys: boolean, ephemeral: boolean, watch: boolean, help: boolean }} */
export function startOptions(args) {
  try {
    const { 'no-demo': noDemo, 'new-keys': newKeys, ...rest } = parseArgs({ args, options: OPTIONS }).values;
    return { demo: !noDemo, newKeys, ...rest };
  } catch (error) {
    throw new Refusal(`${error.message.split('.')[0]}: npm start -- --help lists the options`);
  }
}

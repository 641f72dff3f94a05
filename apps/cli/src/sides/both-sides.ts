import { z } from 'zod';
import { analysisEnv, refuseHalfProvider } from '#libs/analysis';
import { licenseServiceSettings, refuseHalfKeygen } from '#libs/licensing';
import { readEnv } from '#platform/config/read-env';
import { staffSettings } from '../cli.config.js';
import { panelSide, panelSideSettings } from './panel-side.js';
import { partnerSide } from './partner-side.js';
import type { Side } from './side.js';

const schema = z
  .object({ ...staffSettings, ...licenseServiceSettings, ...panelSideSettings, ...analysisEnv })
  .superRefine(refuseHalfKeygen)
  .superRefine(refuseHalfProvider);

export type BothSidesSettings = Readonly<z.output<typeof schema>>;

/** For commands that need the whole installation. */
export const bothSides: Side<BothSidesSettings> = {
  settings: (env) => readEnv(schema, env),
  modules: (settings) => [...partnerSide.modules(settings), ...panelSide.modules(settings)],
};

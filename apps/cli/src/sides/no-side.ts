import { z } from 'zod';
import { readEnv } from '#platform/config/read-env';
import { staffSettings } from '../cli.config.js';
import type { Side } from './side.js';

const settings = z.object(staffSettings);

/** For commands that work on the database itself. */
export const noSide: Side = {
  settings: (env) => readEnv(settings, env),
  modules: () => [],
};

import { z } from 'zod';
import { keyCountSettings, PanelAuthModule, providerSettings, unattendedPanelAuth } from '#libs/panel-auth';
import { servicesEnv, ServicesModule, servicesOptionsOf } from '#libs/services';
import { readEnv } from '#platform/config/read-env';
import { staffSettings } from '../cli.config.js';
import type { Side } from './side.js';

export const panelSideSettings = { ...keyCountSettings, ...providerSettings, ...servicesEnv };

const schema = z.object({ ...staffSettings, ...panelSideSettings });

export type PanelSideSettings = Readonly<z.output<typeof schema>>;

/** Users, organisations, keys and services of the panel. */
export const panelSide: Side<PanelSideSettings> = {
  settings: (env) => readEnv(schema, env),
  modules: (settings) => [
    PanelAuthModule.forRoot({
      settings: unattendedPanelAuth(settings),
      oidc: null,
      keyRing: settings.SECRETS_KEYS ?? null,
    }),
    ServicesModule.forRoot({ ...servicesOptionsOf(settings, settings.SECRETS_KEYS ?? null), sendsJobs: false }),
  ],
};

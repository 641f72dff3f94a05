import { z } from 'zod';
import { analysisEnv, refuseHalfProvider } from '#libs/analysis';
import { backupsEnv, backupStorageEnv, refuseHalfS3 } from '#libs/backups';
import { panelAuthSettings, refuseContradictions } from '#libs/panel-auth';
import { refuseHalfRegistry, servicesEnv } from '#libs/services';
import { commonSettings } from '#platform/config/common-settings';
import { baseUrl, httpUrl, origins, port, positiveNumber, trustedProxies } from '#platform/config/setting-types';

export const panelApiSettings = z
  .object({
    ...commonSettings,
    ...panelAuthSettings,
    ...servicesEnv,
    ...analysisEnv,
    ...backupsEnv,
    ...backupStorageEnv,
    PANEL_URL: baseUrl('http://127.0.0.1:3001'),
    PANEL_METRICS_PORT: port(9465),
    FRONTEND_CALLBACK_URL: httpUrl.optional(),
    TRUSTED_PROXIES: trustedProxies,
    WS_ALLOWED_ORIGINS: origins,
    PANEL_SESSION_RPM: positiveNumber(300),
    PANEL_ANONYMOUS_RPM: positiveNumber(60),
    PANEL_AUTHFAIL_RPM: positiveNumber(10),
    PANEL_LOGIN_RPM: positiveNumber(5),
  })
  .superRefine(refuseContradictions)
  .superRefine(refuseHalfProvider)
  .superRefine(refuseHalfS3)
  .superRefine(refuseHalfRegistry);

export type PanelApiSettings = Readonly<z.output<typeof panelApiSettings>>;

import { z } from 'zod';
import type { TemplateSettings } from '../application/template-settings.js';

const REGISTRY = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?(?:\/[a-z0-9]+(?:[._-][a-z0-9]+)*)*$/;

/** Settings of every process that deploys templates. */
export const templatesEnv = {
  TEMPLATE_REGISTRY: z
    .string()
    .regex(REGISTRY, 'must be a registry such as mirror.example.com:5000/hub, in lower case and without a scheme')
    .optional(),
};

export type TemplatesEnv = z.output<z.ZodObject<typeof templatesEnv>>;

export function templateSettingsOf({ TEMPLATE_REGISTRY }: TemplatesEnv): TemplateSettings {
  return { registry: TEMPLATE_REGISTRY ?? null };
}

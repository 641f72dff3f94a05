export { TemplatesModule, type TemplatesOptions } from './templates.module.js';
export { generatedPassword } from './application/generated-password.js';
export { TemplateCatalog } from './application/template-catalog.js';
export type { TemplateSettings } from './application/template-settings.js';
export type { Check, Command, CommandResult, Login } from './domain/checks.js';
export { TEMPLATES } from './domain/catalog/index.js';
export { WAL_ARCHIVE } from './domain/catalog/postgresql/settings.js';
export { resolveText, secret, SECRETS_FOLDER, type Recipe, type Text } from './domain/recipe.js';
export {
  NEW_PASSWORD,
  PASSWORD,
  WRONG_PASSWORD,
  type Access,
  type Template,
  type TemplateInput,
  type TemplateRecord,
  type TemplateVariable,
} from './domain/template.js';
export { checkVariables, type CheckedVariables } from './domain/variables.js';
export { versionNumbers, versionRefusal } from './domain/version.js';
export { templateSettingsOf, templatesEnv, type TemplatesEnv } from './infrastructure/templates-env.js';

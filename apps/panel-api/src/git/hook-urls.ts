import type { MadeHook } from '#libs/services';
import type { HookDto, MadeHookDto } from './hook.dto.js';

/** Injection token of the base URL for push hooks; the id of the hook is appended. */
export const HOOK_BASE = Symbol('hook base');

export function hookBase(panelUrl: string): string {
  return `${panelUrl.replace(/\/+$/, '')}/api/v1/hooks/git`;
}

export function madeHookAnswer(base: string, { hookId, secret }: MadeHook): MadeHookDto {
  return { hookId, url: `${base}/${hookId}`, secret: secret.reveal() };
}

export function hookAnswer(base: string, hook: { readonly hookId: string; readonly createdAt: Date }): HookDto {
  return { hookId: hook.hookId, url: `${base}/${hook.hookId}`, createdAt: hook.createdAt };
}

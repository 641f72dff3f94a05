import type { Invalid } from '#kernel/errors';

const noted = new WeakMap<object, Invalid[]>();

/**
 * For guards of routes that read their body: what is wrong with it for a reason that its DTO does not know. The
 * validation pipe tells it beside everything else that is wrong, so that one answer names it all.
 */
export function noteRefusal(body: object, refusal: Invalid): void {
  noted.set(body, [...refusalsNotedOf(body), refusal]);
}

export function refusalsNotedOf(body: object): readonly Invalid[] {
  return noted.get(body) ?? [];
}

import type { Invalid } from '#kernel/errors';

const noted = new WeakMap<object, Invalid[]>();

/**
 * For guards of routes that read the body: records an error that the DTO cannot know. The validation pipe reports it
 * together with all other errors, so that one response names them all.
 */
export function addViolations(body: object, refusal: Invalid): void {
  noted.set(body, [...addedViolationsOf(body), refusal]);
}

export function addedViolationsOf(body: object): readonly Invalid[] {
  return noted.get(body) ?? [];
}

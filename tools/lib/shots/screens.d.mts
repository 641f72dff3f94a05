import type { Page } from 'playwright-core';
import type { Stage } from './stage.mjs';
import type { WrittenRows } from './written-rows.mjs';

/** Its name, its address below /console, and what opens the part of it that is to be seen. */
export type Screen = readonly [
  name: string,
  address: string,
  open?: ((page: Page) => Promise<void>) & { readonly names: readonly (string | RegExp)[] },
];

export const EMPTY_SCREENS: readonly Screen[];
export function screensOf(ids: Stage & WrittenRows): readonly Screen[];

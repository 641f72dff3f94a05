import type { DynamicModule, Type } from '@nestjs/common';
import type { StaffSettings } from '../cli.config.js';
import type { Env } from '../terminal/terminal.js';

/**
 * What a group of commands needs of the product. Nearly all the time of a short command goes into loading code, so it
 * loads its own side alone.
 */
export interface Side<S extends StaffSettings = StaffSettings> {
  /** @throws SettingsError naming every offending variable of this side */
  settings(env: Env): S;
  /** The application services that its commands call: the same that serve the APIs. */
  modules(settings: S): readonly (DynamicModule | Type)[];
}

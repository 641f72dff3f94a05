import type { DynamicModule, Type } from '@nestjs/common';
import type { StaffSettings } from '../cli.config.js';
import type { Env } from '../terminal/terminal.js';

/**
 * The part of the product that a group of commands needs. Short commands spend nearly all their time loading code, so
 * each loads only its own side.
 */
export interface Side<S extends StaffSettings = StaffSettings> {
  /** @throws SettingsError naming every invalid variable of this side */
  settings(env: Env): S;
  /** The modules with the application services that its commands call, the same as in the APIs. */
  modules(settings: S): readonly (DynamicModule | Type)[];
}

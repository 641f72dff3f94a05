import { Invalid } from '#kernel/errors';
import type { GitSource } from '../../domain/git/git-source.js';
import type { BuildingSettings } from './building-settings.js';

const NO_NIXPACKS =
  'must be auto or dockerfile: the programs nixpacks and bwrap (bubblewrap) are not both installed on this panel';
const NO_SECRETS =
  "cannot be kept out of the image by this engine's classic builder, and the operator has not turned on BuildKit " +
  '(BUILD_BUILDKIT): pass them at run time as variables';

/** @throws Invalid `builder_unavailable` if this installation lacks what the source needs */
export function refuseMissingBuilder({ buildMethod, buildSecrets }: GitSource, building: BuildingSettings): void {
  if (buildMethod === 'nixpacks' && !building.hasNixpacks)
    throw Invalid.field('build_method', NO_NIXPACKS, 'builder_unavailable');
  if (Object.keys(buildSecrets).length > 0 && !building.hasBuildKit)
    throw Invalid.field('build_secrets', NO_SECRETS, 'builder_unavailable');
}

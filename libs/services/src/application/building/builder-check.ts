import { Invalid } from '#kernel/errors';
import type { GitSource } from '../../domain/git/git-source.js';
import type { BuildingSettings } from './building-settings.js';

/** @throws Invalid `builder_unavailable` for a source that nothing on this installation can build */
export function refuseMissingBuilder({ buildMethod, buildSecrets }: GitSource, building: BuildingSettings): void {
  if (buildMethod === 'nixpacks')
    throw Invalid.field(
      'build_method',
      'nixpacks is not installed here: use auto or dockerfile',
      'builder_unavailable',
    );
  if (Object.keys(buildSecrets).length > 0 && !building.hasBuildKit)
    throw Invalid.field(
      'build_secrets',
      "cannot be kept out of the image by this engine's classic builder, and the operator has not turned on BuildKit " +
        '(BUILD_BUILDKIT): pass them at run time as variables',
      'builder_unavailable',
    );
}

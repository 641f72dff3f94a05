import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { positiveNumber } from '#platform/config/setting-types';
import { BUILD_LIMITS, type BuildingSettings } from '../../application/building/building-settings.js';
import type { Nixpacks } from '../../application/ports/git/nixpacks.js';
import { BASE_IMAGES, type BaseImageTable } from '../../domain/building/base-images.js';
import type { RuntimeEnv } from '../docker/runtime-env.js';
import { nixpacksPrograms } from './nixpacks/installed-programs.js';
import { SandboxedNixpacks } from './nixpacks/sandboxed-nixpacks.js';
import { parseImageReference } from '../../domain/compose/values/image-reference.js';

const imageName = z.string().refine((text) => parseImageReference(text.replace('{version}', '1')) !== null, {
  message: 'must be the name of an image',
});
const image = z.union([
  imageName,
  z
    .object({ image: imageName, digest: z.string().regex(/^sha256:[0-9a-f]{64}$/) })
    .transform((entry) => `${entry.image}@${entry.digest}`),
]);
const table = z.partialRecord(z.enum(BASE_IMAGES), z.record(z.string(), image));

/** Settings of every process that builds. */
export const buildingEnv = {
  /** Where nixpacks and bwrap are found. */
  NIXPACKS_PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
  BUILD_MEMORY_MB: positiveNumber(BUILD_LIMITS.memoryMb),
  BUILD_CPU_CORES: positiveNumber(BUILD_LIMITS.cpuCores),
  BUILD_TIMEOUT_SECONDS: positiveNumber(BUILD_LIMITS.totalMs / 1000),
  BUILD_BASE_IMAGES_FILE: z
    .string()
    .optional()
    .transform((path, context): BaseImageTable => {
      if (path === undefined) return {};
      try {
        return table.parse(JSON.parse(readFileSync(path, 'utf8')));
      } catch (error) {
        const problem = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
        context.addIssue({ code: 'custom', message: `must be a file of images by language and version: ${problem}` });
        return z.NEVER;
      }
    }),
};

export type BuildingEnv = z.output<z.ZodObject<typeof buildingEnv>>;

export function nixpacksOf(env: Pick<BuildingEnv, 'NIXPACKS_PATH'>): Nixpacks {
  return new SandboxedNixpacks(nixpacksPrograms(env.NIXPACKS_PATH));
}

export function buildingSettingsOf(
  env: BuildingEnv & Pick<RuntimeEnv, 'BUILD_REGISTRY' | 'BUILD_BUILDKIT'>,
): BuildingSettings {
  return {
    limits: {
      ...BUILD_LIMITS,
      memoryMb: Math.max(16, Math.floor(env.BUILD_MEMORY_MB)),
      cpuCores: env.BUILD_CPU_CORES,
      totalMs: env.BUILD_TIMEOUT_SECONDS * 1000,
    },
    baseImages: env.BUILD_BASE_IMAGES_FILE,
    registry: env.BUILD_REGISTRY ?? null,
    hasNixpacks: nixpacksPrograms(env.NIXPACKS_PATH) !== null,
    hasBuildKit: env.BUILD_BUILDKIT === 'capped',
  };
}

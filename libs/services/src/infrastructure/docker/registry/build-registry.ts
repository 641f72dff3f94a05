import { z } from 'zod';
import { SecretText } from '#kernel/crypto/secret-text';
import { isInBuildRegistry } from '../../../domain/building/built-image.js';
import { parseImageReference } from '../../../domain/compose/values/image-reference.js';
import type { ImageReference } from '../../../domain/service-plan.js';

const REGISTRY = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?(?:\/[a-z0-9._/-]+)?$/;

/** Settings of the registry for built images. */
export const buildRegistryEnv = {
  BUILD_REGISTRY: z
    .string()
    .refine((text) => REGISTRY.test(text) && namesRegistry(text), {
      message: 'must be a registry such as registry.internal:5000/builds',
    })
    .optional(),
  BUILD_REGISTRY_USERNAME: z.string().min(1).optional(),
  BUILD_REGISTRY_PASSWORD: z.string().min(1).optional(),
};

export type BuildRegistryEnv = z.output<z.ZodObject<typeof buildRegistryEnv>>;

/** Otherwise the engine would treat the first part as a namespace on Docker Hub. */
function namesRegistry(text: string): boolean {
  return parseImageReference(`${text}/image`)?.registry === text.split('/')[0];
}

/** The user name and the password need each other, and a registry. */
export function refuseHalfRegistry(env: BuildRegistryEnv, context: z.RefinementCtx): void {
  const names = ['BUILD_REGISTRY', 'BUILD_REGISTRY_USERNAME', 'BUILD_REGISTRY_PASSWORD'] as const;
  const [, ...login] = names;
  if (login.every((name) => env[name] === undefined)) return;
  for (const name of names.filter((each) => env[each] === undefined))
    context.addIssue({ code: 'custom', path: [name], message: 'is required with the login of BUILD_REGISTRY' });
}

export interface RegistryLogin {
  readonly username: string;
  readonly password: SecretText;
}

/** In the form of the engine's request header. */
export interface EngineLogin {
  readonly username: string;
  readonly password: string;
  readonly serveraddress: string;
}

/** The registry for built images, and the login to it. */
export class BuildRegistry {
  /** @param name with its path; null if there is no registry */
  constructor(
    readonly name: string | null = null,
    readonly login: RegistryLogin | null = null,
  ) {}

  static of(env: BuildRegistryEnv): BuildRegistry {
    const { BUILD_REGISTRY: name, BUILD_REGISTRY_USERNAME: username, BUILD_REGISTRY_PASSWORD: password } = env;
    if (name === undefined) return new BuildRegistry();
    const isComplete = username !== undefined && password !== undefined;
    return new BuildRegistry(name, isComplete ? { username, password: new SecretText(password) } : null);
  }

  /** The login for an image that was built here. It is never sent for other images. */
  loginFor(image: ImageReference): EngineLogin | undefined {
    if (this.login === null || !isInBuildRegistry(image, this.name)) return undefined;
    const { username, password } = this.login;
    return { username, password: password.reveal(), serveraddress: image.registry };
  }
}

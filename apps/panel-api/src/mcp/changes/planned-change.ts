import { z } from 'zod';
import type { ChangeKind, ChangeRequest } from '#libs/automation';
import type { Permission } from '#libs/panel-auth';
import type { McpAccess } from '../access/mcp-access.js';

export const figures = z.looseObject({
  services: z.number().nullable(),
  cpuCores: z.number().nullable(),
  memoryMb: z.number().nullable(),
  diskMb: z.number().nullable(),
});

/** Everything that a change would do. */
export const effects = z.object({
  containersCreated: z.array(z.string()),
  containersReplaced: z.array(z.string()),
  containersRemoved: z.array(z.string()),
  images: z.array(z.string()),
  dataTouched: z.array(z.object({ volume: z.string(), change: z.enum(['created', 'kept', 'removed', 'overwritten']) })),
  downtimeExpected: z.boolean(),
  downtimeReason: z.string().nullable(),
  quotaAfter: z
    .object({ limits: figures, used: figures })
    .nullable()
    .describe('Limits of the organisation, and its use after the change; null for a service without an organisation.'),
});
export type Effects = z.output<typeof effects>;

export const NO_EFFECTS: Effects = {
  containersCreated: [],
  containersReplaced: [],
  containersRemoved: [],
  images: [],
  dataTouched: [],
  downtimeExpected: false,
  downtimeReason: null,
  quotaAfter: null,
};

export interface DescribedChange {
  readonly summary: string;
  readonly effects: Effects;
  readonly warnings: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

/** One kind of change that is planned before it is applied. */
export interface PlannedChange {
  readonly kind: ChangeKind;
  /** One of these permissions is needed to plan and to apply the change. */
  readonly anyOf: readonly Permission[];
  /** Checks the request as its REST route does, and changes nothing. @throws the errors of the route */
  describe(access: McpAccess, request: ChangeRequest): Promise<DescribedChange>;
  /** The state that the plan depends on. @throws NotFound if it is deleted or belongs to another organisation */
  basis(access: McpAccess, request: ChangeRequest): Promise<string>;
  /** Carries the change out. @throws the errors of the route */
  apply(access: McpAccess, request: ChangeRequest): Promise<object>;
}

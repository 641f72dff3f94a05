import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Permission } from '#libs/panel-auth';
import type { McpAccess } from '../access/mcp-access.js';
import { asJson, toolResult } from '../output/tool-output.js';

/** The definition of a tool. */
export interface ToolDefinition<In extends z.ZodObject, Out extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The tool is offered to callers with at least one of these permissions. */
  readonly anyOf: readonly Permission[];
  readonly input: In;
  readonly output: Out;
  readonly annotations: ToolAnnotations;
  /** A warning that is shown before the response. */
  readonly notice?: string;
  /** The target of the call in the audit log. */
  target?(args: z.output<In>): string | null;
  run(access: McpAccess, args: z.output<In>): Promise<object>;
}

/** Wraps every call: auditing and error handling. */
export type RunTool = (
  access: McpAccess,
  call: { readonly tool: string; readonly target: string | null },
  work: () => Promise<CallToolResult>,
) => Promise<CallToolResult>;

/** A tool without type parameters, so that tools of all types fit into one list. */
export interface OfferedTool {
  readonly name: string;
  readonly anyOf: readonly Permission[];
  offer(server: McpServer, access: McpAccess, run: RunTool): void;
}

export function tool<In extends z.ZodObject, Out extends z.ZodObject>(
  definition: ToolDefinition<In, Out>,
): OfferedTool {
  const { name, title, description, anyOf, input, output, annotations, notice = null } = definition;
  const config = { title, description, inputSchema: input as z.ZodObject, outputSchema: output as z.ZodObject };
  return {
    name,
    anyOf,
    offer: (server, access, run) => {
      server.registerTool(name, { ...config, annotations: { title, ...annotations } }, (given) => {
        const args = given as z.output<In>;
        const target = definition.target?.(args) ?? null;
        return run(access, { tool: name, target }, async () =>
          toolResult(asJson(await definition.run(access, args)), notice),
        );
      });
    },
  };
}

/** Annotations of tools that only read. */
export const READS: ToolAnnotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
/** Annotations of tools that only add something. */
export const CREATES: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
/** Annotations of tools that can replace, stop or overwrite something. */
export const CHANGES: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };

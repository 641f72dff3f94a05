import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Permission } from '#libs/panel-auth';
import type { McpAccess } from '../access/mcp-access.js';
import { asJson, toolResult } from '../output/tool-output.js';

/** What a tool is, does and needs. */
export interface ToolDefinition<In extends z.ZodObject, Out extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The tool is offered to whoever holds one of them. */
  readonly anyOf: readonly Permission[];
  readonly input: In;
  readonly output: Out;
  readonly annotations: ToolAnnotations;
  /** What the reader has to know before the answer. */
  readonly notice?: string;
  /** What the call is about, for the audit log. */
  target?(args: z.output<In>): string | null;
  run(access: McpAccess, args: z.output<In>): Promise<object>;
}

/** Runs one call: what happens around every tool. */
export type RunTool = (
  access: McpAccess,
  call: { readonly tool: string; readonly target: string | null },
  work: () => Promise<CallToolResult>,
) => Promise<CallToolResult>;

/** A tool whose types are settled, ready to be offered to a caller. */
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

/** Reads what the panel knows. */
export const READS: ToolAnnotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
/** Makes something new and touches nothing that is there. */
export const CREATES: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
/** Can replace, stop or overwrite something. */
export const CHANGES: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };

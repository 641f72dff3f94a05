import type { CallToolResult } from '@modelcontextprotocol/server';
import { Redaction } from './redaction.js';

/** Maximum size of a response, so that it fits into the context of a model. */
export const MAX_OUTPUT_BYTES = 64 * 1024;

export type JsonObject = Record<string, unknown>;

/** The value as it is sent: dates become strings, and values that JSON cannot express are dropped. */
export function asJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

export function byteLength(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/**
 * The response of a tool, as structured content and as text for older clients.
 * @param notice a warning that is shown before the content
 */
export function toolResult(output: JsonObject, notice: string | null): CallToolResult {
  const structuredContent = Redaction.byForm.document(output) as JsonObject;
  if (byteLength(structuredContent) > MAX_OUTPUT_BYTES) return tooLarge();
  const text = { type: 'text' as const, text: JSON.stringify(structuredContent) };
  const content = notice === null ? [text] : [{ type: 'text' as const, text: notice }, text];
  return { content, structuredContent };
}

export function errorResult(error: { readonly code: string; readonly message: string }): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error }).slice(0, MAX_OUTPUT_BYTES) }] };
}

function tooLarge(): CallToolResult {
  const message = 'The response is larger than 64 KiB. Request less: a smaller page, fewer lines, a shorter range.';
  return errorResult({ code: 'output_too_large', message });
}

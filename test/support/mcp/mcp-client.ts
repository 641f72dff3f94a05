import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientOfV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportOfV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The official clients: the first generation, and the second with each revision of the protocol. */
export const GENERATIONS = ['sdk v1', 'client v2, 2025-11-25', 'client v2, 2026-07-28'] as const;
export type Generation = (typeof GENERATIONS)[number];

const ABOUT = { name: 'test', version: '1' };

export interface ToolAnswer {
  readonly isError: boolean;
  /** The structured content of a result, or the error in the text of a failed call. */
  readonly body: any;
  readonly text: string;
}

/** A connected client of the panel's MCP server. */
export interface McpClient {
  readonly revision: string | undefined;
  readonly tools: readonly { name: string; annotations?: object; inputSchema: object; outputSchema?: object }[];
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  /** All answers so far as text, to check that they contain no secrets. */
  received(): string;
  close(): Promise<void>;
}

/** @param path `/mcp/admin` or `/mcp/tenant` */
export async function connectMcp(
  baseUrl: string,
  path: string,
  key: string,
  generation: Generation = 'client v2, 2026-07-28',
): Promise<McpClient> {
  const url = new URL(path, baseUrl);
  const received: string[] = [];
  const recorded = (result: object) => {
    received.push(JSON.stringify(result));
    return answerOf(result);
  };
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } };
  if (generation === 'sdk v1') {
    const client = new ClientOfV1(ABOUT);
    const transport = new TransportOfV1(url, options);
    await client.connect(transport);
    const { tools } = await client.listTools();
    return {
      revision: transport.protocolVersion,
      tools,
      call: async (name, args = {}) => recorded(await client.callTool({ name, arguments: args })),
      received: () => received.join('\n'),
      close: () => client.close(),
    };
  }
  const isPinned = generation === 'client v2, 2026-07-28';
  const client = new Client(ABOUT, isPinned ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {});
  await client.connect(new StreamableHTTPClientTransport(url, options));
  const { tools } = await client.listTools();
  return {
    revision: client.getNegotiatedProtocolVersion(),
    tools,
    call: async (name, args = {}) => recorded(await client.callTool({ name, arguments: args })),
    received: () => received.join('\n'),
    close: () => client.close(),
  };
}

function answerOf(result: object): ToolAnswer {
  const {
    isError = false,
    structuredContent,
    content,
  } = result as {
    isError?: boolean;
    structuredContent?: unknown;
    content: { type: string; text: string }[];
  };
  const text = content.map((part) => part.text).join('\n');
  return { isError, body: isError ? errorOf(text) : structuredContent, text };
}

/** Errors of the protocol itself are plain text and have no code. */
function errorOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { error: unknown }).error;
  } catch {
    return { code: null, message: text };
  }
}

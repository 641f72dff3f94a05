import protobuf from 'protobufjs';

/** The few messages of BuildKit that are used here, without unused fields. */
const root = protobuf.Root.fromJSON({
  nested: {
    GetSecretRequest: { fields: { ID: { type: 'string', id: 1 } } },
    GetSecretResponse: { fields: { data: { type: 'bytes', id: 1 } } },
    Vertex: {
      fields: { digest: { type: 'string', id: 1 }, name: { type: 'string', id: 3 }, cached: { type: 'bool', id: 4 } },
    },
    VertexLog: { fields: { vertex: { type: 'string', id: 1 }, msg: { type: 'bytes', id: 4 } } },
    StatusResponse: {
      fields: {
        vertexes: { rule: 'repeated', type: 'Vertex', id: 1 },
        logs: { rule: 'repeated', type: 'VertexLog', id: 3 },
      },
    },
  },
});

export interface BuildStatus {
  readonly vertexes: readonly { readonly digest: string; readonly name: string }[];
  /** Pieces of the steps' output, split anywhere. */
  readonly logs: readonly { readonly vertex: string; readonly msg: Buffer }[];
}

/** @param data base64, as the engine sends it */
export function readStatus(data: string): BuildStatus {
  const type = root.lookupType('StatusResponse');
  const options = { defaults: true, arrays: true, bytes: Buffer };
  return type.toObject(type.decode(Buffer.from(data, 'base64')), options) as BuildStatus;
}

export function readSecretRequest(bytes: Buffer): { readonly id: string } {
  const type = root.lookupType('GetSecretRequest');
  return { id: (type.toObject(type.decode(bytes), { defaults: true }) as { ID: string }).ID };
}

export function writeSecretResponse({ data }: { readonly data: Buffer }): Buffer {
  return Buffer.from(root.lookupType('GetSecretResponse').encode({ data }).finish());
}

/** Requests as bytes, prepared before measuring. */
export function getRequest(path: string, token?: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: bench\r\n${bearer(token)}\r\n`);
}

export function postRequest(path: string, body: object | null, token?: string): Buffer {
  const text = body === null ? '' : JSON.stringify(body);
  const type = body === null ? '' : 'content-type: application/json\r\n';
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: bench\r\n${bearer(token)}${type}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

/** Returns the requests one after the other, and starts again after the last. */
export function inTurn(requests: readonly Buffer[]): () => Buffer {
  let index = 0;
  return () => requests[index++ % requests.length]!;
}

const bearer = (token: string | undefined) => (token === undefined ? '' : `authorization: Bearer ${token}\r\n`);

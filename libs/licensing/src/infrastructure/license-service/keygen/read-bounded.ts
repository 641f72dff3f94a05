/**
 * The body of a response as text.
 * @throws Error if it is longer than `maximumBytes`; the rest is not read
 */
export async function readBounded(response: Response, maximumBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += (chunk as Uint8Array).byteLength;
    if (length > maximumBytes) throw new Error(`the answer is longer than ${maximumBytes} bytes`);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}

import { AnalysisFailed } from '../../domain/analysis-errors.js';

/** The body of a response as text. @throws AnalysisFailed if it is longer than `maxBytes` */
export async function cappedText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  if (body === null) return '';
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new AnalysisFailed('provider_failed', "The AI provider's answer is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

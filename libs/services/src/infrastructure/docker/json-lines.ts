import { refusalOrUnavailable } from './docker-errors.js';

export interface JsonLine {
  readonly value: unknown;
  /** The raw text, for numbers above the safe integers. */
  readonly text: string;
}

/**
 * The objects of a streaming answer, one per line. Leaving the loop ends the request.
 * @throws EngineUnavailable if the connection breaks
 */
export async function* jsonLines(answer: NodeJS.ReadableStream): AsyncGenerator<JsonLine> {
  let rest = '';
  answer.setEncoding('utf8');
  try {
    for await (const chunk of answer) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) {
        if (text.trim() !== '') yield { value: JSON.parse(text) as unknown, text };
      }
    }
  } catch (error) {
    throw refusalOrUnavailable(error);
  }
  if (rest.trim() !== '') yield { value: JSON.parse(rest) as unknown, text: rest };
}

import { Injectable } from '@nestjs/common';
import { ModelReadiness } from '../../application/ports/model-readiness.js';
import type { ModelProvider } from '../../application/ports/model-provider.js';

/** Every OpenAI-compatible server lists its models. */
@Injectable()
export class HttpModelReadiness extends ModelReadiness {
  async isReady({ baseUrl, apiKey }: ModelProvider, signal: AbortSignal): Promise<boolean> {
    try {
      const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey.reveal()}` } : {};
      const answer = await fetch(`${baseUrl}/models`, { redirect: 'manual', signal, headers });
      await answer.body?.cancel();
      return answer.status === 200;
    } catch {
      return false;
    }
  }
}

/** How the panel's own services identify the bundled model. */
export const LOCAL_MODEL = { purpose: 'local-model', role: 'model', port: 8080 } as const;

/** A server with an OpenAI-compatible API, which downloads the model by itself. */
export const LOCAL_MODEL_DEFAULTS = {
  image: 'ghcr.io/ggml-org/llama.cpp:server',
  model: 'Qwen/Qwen2.5-1.5B-Instruct-GGUF:Q4_K_M',
  memoryMb: 4096,
  cpuCores: 2,
  diskMb: 20_480,
} as const;

/** The name of a model: a repository with a file, or a path. No spaces, and no leading dash. */
const MODEL = /^[A-Za-z0-9][A-Za-z0-9._/:@-]{0,199}$/;

export function isModelName(text: string): boolean {
  return MODEL.test(text);
}

/**
 * The compose file of the bundled model: one container without a published port, its model file on a volume of its own.
 * It has no health check, because the first start downloads some gigabytes and nothing depends on it meanwhile.
 */
export function localModelCompose({ image, model }: { readonly image: string; readonly model: string }): string {
  const { role, port } = LOCAL_MODEL;
  const service = {
    image,
    command: ['-hf', model, '--host', '0.0.0.0', '--port', String(port), '--ctx-size', '16384', '--jinja'],
    environment: { LLAMA_CACHE: '/models' },
    healthcheck: { disable: true },
    restart: 'unless-stopped',
    expose: [String(port)],
    volumes: ['models:/models'],
  };
  return JSON.stringify({ services: { [role]: service }, volumes: { models: {} } });
}

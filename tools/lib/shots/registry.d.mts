export function startRegistry(
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly host: string; stop(): Promise<void> }>;

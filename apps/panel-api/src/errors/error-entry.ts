import type { ErrorEntry } from '#platform/openapi/error-catalog';

/** One `code` with an example message, its cause and its remedy. */
export const entry = (status: number, code: string, message: string, cause: string, cure: string): ErrorEntry => ({
  status,
  code,
  message,
  cause,
  cure,
});

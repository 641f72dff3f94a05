import type { ErrorEntry } from '#platform/openapi/error-catalog';

/** One `code` with an example of its message, why it happens and what helps. */
export const entry = (status: number, code: string, message: string, cause: string, cure: string): ErrorEntry => ({
  status,
  code,
  message,
  cause,
  cure,
});

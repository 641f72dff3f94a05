/** The limits of the fields of every request, by operation. */
export function consoleLimits(document: object): Record<string, object>;

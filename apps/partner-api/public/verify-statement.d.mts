/** What disagrees, a line each; empty when nothing does. */
export function verifyStatement(statementText: string, proofText: string, csvText?: string | null): string[];

/** A comment, and the opening of one whose content is carried out. */
const COMMENTS = /^(?:\s+|\/\*(?:M?!\d*)\s*|\/\*(?!M?!)[\s\S]*?\*\/|(?:--\s|#)[^\n]*(?:\n|$))+/;
const FOR_THIS_STATEMENT = /^set\s+statement\s[\s\S]*?\sfor\s+/i;
const ACCOUNTS =
  /^(?:(?:create|alter|drop|rename)\s+(?:or\s+replace\s+)?(?:user|role)\b|grant\b|revoke\b|set\s+(?:default\s+role|password)\b|flush\s+privileges\b)/i;
const DROP = /^drop\s+(?:temporary\s+)?(?:table|view|sequence)\s+(?!if\s+exists\b)/i;

/** Whether a statement is about who may log in, and what they may do. */
export function isAboutAccounts(statement: string): boolean {
  return ACCOUNTS.test(bare(bare(statement).replace(FOR_THIS_STATEMENT, '')));
}

/**
 * MariaDB writes down the removal of several tables of which some were missing as if all had been there. What removes
 * tables that are there does the same with `if exists`.
 */
export function withoutMissingTables(statement: string): string {
  return statement.replace(DROP, (found) => `${found}if exists `);
}

function bare(statement: string): string {
  return statement.replace(COMMENTS, '');
}

/** Leading blanks and comments, and the opening of executable comments such as `/*!50003`. */
const COMMENTS = /^(?:\s+|\/\*(?:M?!\d*)\s*|\/\*(?!M?!)[\s\S]*?\*\/|(?:--\s|#)[^\n]*(?:\n|$))+/;
const FOR_THIS_STATEMENT = /^set\s+statement\s[\s\S]*?\sfor\s+/i;
const ACCOUNTS =
  /^(?:(?:create|alter|drop|rename)\s+(?:or\s+replace\s+)?(?:user|role)\b|grant\b|revoke\b|set\s+(?:default\s+role|password)\b|flush\s+privileges\b)/i;
const DROP = /^drop\s+(?:temporary\s+)?(?:table|view|sequence)\s+(?!if\s+exists\b)/i;

/** Whether a statement changes accounts, roles, passwords or privileges. */
export function isAboutAccounts(statement: string): boolean {
  return ACCOUNTS.test(bare(bare(statement).replace(FOR_THIS_STATEMENT, '')));
}

/**
 * Adds `if exists` to a `drop`. When MariaDB drops several tables of which some do not exist, it logs a statement that
 * names all of them, and playing that statement would fail. For tables that exist, `if exists` changes nothing.
 */
export function withoutMissingTables(statement: string): string {
  return statement.replace(DROP, (found) => `${found}if exists `);
}

function bare(statement: string): string {
  return statement.replace(COMMENTS, '');
}

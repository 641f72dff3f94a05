export const CANARIES = {
  literal: 'canary-literal-5f0c1e',
  variable: 'canary-variable-77ab02',
  sealed: 'canary-sealed-903ad4',
  address: 'canary-address-1be655',
  line: 'canary-line-of-a-key-0d4c',
  database: 'canary-database-c2e9f1',
} as const;
const KEY_FILE = `-----BEGIN PRIVATE KEY-----\n${CANARIES.line}\n-----END PRIVATE KEY-----`;

/** Writes its secrets to its output in all the ways that programs do by accident. */
const SAYING = [
  'echo "started with $$PASSWORD and $$TOKEN, $$SEALED"',
  'echo "$$KEY_FILE"',
  'echo "{\\"connection\\": \\"$$DATABASE_URL\\"}" >&2',
  'echo "alone: $${DATABASE_URL:15:21}"',
].join('; ');
/** @param more shell command to run after that */
export const talkingCompose = (image: string, more: string) => `services:
  web:
    image: ${image}
    init: true
    command: ['sh', '-c', ${JSON.stringify(`${SAYING}; ${more}`)}]
    environment:
      PASSWORD: ${CANARIES.literal}
      TOKEN: \${TOKEN}
      SEALED: \${secret:SEALED}
      KEY_FILE: \${KEY_FILE}
      DATABASE_URL: \${DATABASE_URL}
`;
export const TALKING_VARIABLES = {
  TOKEN: CANARIES.variable,
  KEY_FILE,
  DATABASE_URL: `postgres://app:${CANARIES.address}@db:5432/app`,
};

/** The languages that Git deployments build. */
export const LANGUAGES_KNOWN = ['node', 'python', 'go', 'php', 'ruby', 'java', 'rust', 'static'] as const;

const NAME = /^[A-Z_][A-Z0-9_]{0,63}$/;
const SECRET = /PASS|SECRET|TOKEN|KEY|CRED|PRIVATE|SALT|DSN|SIGN|AUTH|_UR[IL]$|CONNECTION/;

/** Variables that make a program load or run other code. The panel never suggests them. */
const DANGEROUS =
  /^(?:LD_.*|DYLD_.*|GCONV_PATH|NODE_OPTIONS|NODE_PATH|PYTHON(?:PATH|STARTUP|HOME|INSPECT)|PERL5.*|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|BASH_ENV|ENV|IFS|PATH|SHELL|PROMPT_COMMAND|PS4|GIT_.*|SSH_.*|DOCKER_.*|HTTPS?_PROXY|ALL_PROXY|NO_PROXY|npm_.*|NPM_CONFIG_.*|PIP_.*|GOFLAGS|RUSTFLAGS|CARGO_.*|PHP_INI_.*|AI_.*)$/i;

export function isVariableName(name: string): boolean {
  return NAME.test(name) && !DANGEROUS.test(name);
}

/** Whether the name suggests a password, or an address that contains one. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

/** The value of an example, if it can serve as a default: short, plain, and not a placeholder. */
export function plainDefault(value: string): string | null {
  const text = value.trim().replace(/^(["'])(.*)\1$/, '$2');
  if (text === '' || text.length > 120 || !/^[\w ./:@,+=-]+$/.test(text)) return null;
  return /^(?:change[-_ ]?me|your|xxx|<|\.\.\.|todo|replace)/i.test(text) ? null : text;
}

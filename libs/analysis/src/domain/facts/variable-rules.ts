const NAME = /^[A-Z_][A-Z0-9_]{0,63}$/;
const SECRET = /PASS|SECRET|TOKEN|KEY|CRED|PRIVATE|SALT|DSN|SIGN|AUTH|_UR[IL]$|CONNECTION/;

/** Variables by which a program can be made to load or run something else; the panel suggests none of them. */
const DANGEROUS =
  /^(?:LD_.*|DYLD_.*|GCONV_PATH|NODE_OPTIONS|NODE_PATH|PYTHON(?:PATH|STARTUP|HOME|INSPECT)|PERL5.*|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|BASH_ENV|ENV|IFS|PATH|SHELL|PROMPT_COMMAND|PS4|GIT_.*|SSH_.*|DOCKER_.*|HTTPS?_PROXY|ALL_PROXY|NO_PROXY|npm_.*|NPM_CONFIG_.*|PIP_.*|GOFLAGS|RUSTFLAGS|CARGO_.*|PHP_INI_.*|AI_.*)$/i;

export function isVariableName(name: string): boolean {
  return NAME.test(name) && !DANGEROUS.test(name);
}

/** By its name: what holds a password, or an address with one in it. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

/** An example's value that can be a setting: short, plain, and no placeholder. */
export function plainDefault(value: string): string | null {
  const text = value.trim().replace(/^(["'])(.*)\1$/, '$2');
  if (text === '' || text.length > 120 || !/^[\w ./:@,+=-]+$/.test(text)) return null;
  return /^(?:change[-_ ]?me|your|xxx|<|\.\.\.|todo|replace)/i.test(text) ? null : text;
}

/** Names under which people keep secrets. */
const SECRET_NAME = /PASS|SECRET|TOKEN|KEY|CRED|AUTH|PRIVATE|SIGN|SALT|DSN|URL|URI|CONN/i;
const MIN_LENGTH_BY_NAME = 4;
const MIN_LENGTH_BY_FORM = 10;

/**
 * Whether a setting is hidden where logs are shown: by its name, or because it looks like nothing that people write.
 * Words such as `production` are no secrets; hiding them would make logs useless.
 */
export function isSensitive(name: string, value: string): boolean {
  if (value.length < MIN_LENGTH_BY_NAME) return false;
  if (SECRET_NAME.test(name)) return !isPlain(value);
  return value.length >= MIN_LENGTH_BY_FORM && /\d/.test(value) && /[A-Za-z]/.test(value) && !/\s/.test(value);
}

/** A number or a switch, whatever it is called. */
function isPlain(value: string): boolean {
  return /^(?:\d{1,5}|true|false|null|none)$/i.test(value);
}

/** Parts of the names that people give to secrets. Some harmless names match too. */
const SECRET_NAME = /PASS|SECRET|TOKEN|KEY|CRED|AUTH|PRIVATE|SIGN|SALT|DSN|URL|URI|CONN/i;
const MIN_LENGTH_BY_NAME = 4;
const MIN_LENGTH_BY_FORM = 10;

/**
 * Whether the value of a setting is masked in logs: because of its name, or because it looks generated (letters and
 * digits mixed). Ordinary words such as `production` stay visible, since masking them would make logs useless.
 */
export function isSensitive(name: string, value: string): boolean {
  if (value.length < MIN_LENGTH_BY_NAME) return false;
  if (SECRET_NAME.test(name)) return !isPlain(value);
  return value.length >= MIN_LENGTH_BY_FORM && /\d/.test(value) && /[A-Za-z]/.test(value) && !/\s/.test(value);
}

/** A short number or a switch is not a secret, whatever its name. */
function isPlain(value: string): boolean {
  return /^(?:\d{1,5}|true|false|null|none)$/i.test(value);
}

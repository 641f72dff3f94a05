import { StartRefused } from '#platform/start-refused';
import { Vault } from '../application/ports/vault.js';

/** The vault of a process without SECRETS_KEYS, which can do what needs no sealed value. */
export class NoVault extends Vault {
  seal(): never {
    return refuse();
  }

  open(): never {
    return refuse();
  }

  isStale(): never {
    return refuse();
  }
}

function refuse(): never {
  throw new StartRefused('SECRETS_KEYS: is required for this, because it reads or writes encrypted values.');
}

import { KeyRing, SealBroken, type SealContext } from '#platform/key-ring';
import { Vault, type SealedColumn } from '../application/ports/vault.js';

export class KeyRingVault extends Vault {
  constructor(private readonly ring: KeyRing) {
    super();
  }

  seal(plaintext: string, column: SealedColumn, rowId: string): Buffer {
    return this.ring.seal(plaintext, contextOf(column, rowId));
  }

  open(sealed: Buffer, column: SealedColumn, rowId: string): string | null {
    try {
      return this.ring.open(sealed, contextOf(column, rowId)).toString('utf8');
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  isStale(sealed: Buffer): boolean {
    return this.ring.isStale(sealed);
  }
}

/** Each column is a purpose of its own; the sign-in cookie has no table but its own purpose too. */
function contextOf(column: SealedColumn, rowId: string): SealContext {
  const [table = '', name = ''] = column.split('.');
  return { purpose: column, table: `panel_auth.${table}`, column: name, rowId };
}

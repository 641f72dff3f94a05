import type { Uuid } from '#kernel/crypto/uuid';
import type { TokenHolder } from './ports/token-reader.js';
import { RecentTokenHolders } from './recent-token-holders.js';

describe('the holders seen', () => {
  const hash = (n: number) => Buffer.alloc(32, n);
  const holder = (n: number): TokenHolder => ({
    ...{ tokenId: String(n) as Uuid, partnerId: 'p' as Uuid },
    ...{ scope: 'read', partnerName: 'P', partnerType: 'reseller' },
  });

  it('are those of the last answers, and no more than there is room for', () => {
    const seen = new RecentTokenHolders(3);
    for (const n of [1, 2, 3]) seen.note(hash(n), holder(n));
    seen.note(hash(1), holder(1));
    seen.note(hash(4), holder(4));
    expect([1, 2, 3, 4].filter((n) => seen.find(hash(n)))).toHaveLength(3);
    expect(seen.find(hash(4))).toEqual(holder(4));
  });

  it('are forgotten with the first answer that knows none', () => {
    const seen = new RecentTokenHolders();
    seen.note(hash(1), holder(1));
    seen.note(hash(1), null);
    expect(seen.find(hash(1))).toBeNull();
  });
});

import { PageRequest } from '#kernel/page';
import { linkNextPage, type LinkedReply } from './page.js';

/** The Link header of a reply to `url`; null if none. */
function linkOf(url: string, limit: number, ids: readonly string[]): string | null {
  let link: string | null = null;
  const reply: LinkedReply = { request: { url }, header: (_name, value) => (link = value) };
  const items = ids.map((id) => ({ id }));
  linkNextPage(reply, PageRequest.lenient(limit, 0), items);
  return link;
}

describe('the link to the next page', () => {
  it('stands on a full page only', () => {
    expect(linkOf('/v1/customers', 2, ['a', 'b'])).toBe('</v1/customers?after=b>; rel="next"');
    expect(linkOf('/v1/customers', 3, ['a', 'b'])).toBeNull();
    expect(linkOf('/v1/customers', 1, [])).toBeNull();
  });

  it('keeps the query, replaces the key and drops the offset', () => {
    const link = linkOf('/v1/customers?q=a%20b&after=x&limit=1&offset=40&status=active', 1, ['y']);
    expect(link).toBe('</v1/customers?q=a+b&after=y&limit=1&status=active>; rel="next"');
  });

  it('carries nothing that could end the header or the address early', () => {
    const link = linkOf('/v1/customers?q=%3E%0D%0Ax%22>"ü', 1, ['y']);
    expect(link).toBe('</v1/customers?q=%3E%0D%0Ax%22%3E%22%C3%BC&after=y>; rel="next"');
  });
});

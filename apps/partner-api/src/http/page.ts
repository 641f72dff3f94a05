import { ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/crypto/uuid';
import { MayBeAbsent } from '#platform/http/validation/text.decorator';
import { IsId } from '#platform/http/validation/uuid.decorator';

/** The query parameters of every paginated list; a list with filters extends it. */
export class PageQuery {
  // No limits in the document: invalid values are accepted and replaced by the default.
  @ApiPropertyOptional({
    type: 'integer',
    default: 50,
    description: 'Page size, 1 to 200. Invalid values count as 50.',
  })
  @Allow()
  limit?: unknown;

  @ApiPropertyOptional({ type: 'integer', default: 0, description: 'Items to skip. Invalid values count as 0.' })
  @Allow()
  offset?: unknown;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description:
      'Continue after the item with this id; `offset` is then ignored. Takes the same time on every page, ' +
      'and neither skips nor repeats items when others are added in the meantime.',
  })
  @MayBeAbsent()
  @IsId()
  after?: Uuid;
}

export function pageOf(query: PageQuery): PageRequest {
  return PageRequest.lenient(query.limit, query.offset, query.after ?? null);
}

/** Response headers that a list route declares for its 200. */
export const PAGE_HEADERS = {
  Link: {
    description: 'On full pages only: the path of the next page, `</v1/…?after=…>; rel="next"`.',
    schema: { type: 'string' },
  },
};

/** The part of a reply that a link needs. */
export interface LinkedReply {
  readonly request: { readonly url: string };
  header(name: 'link', value: string): unknown;
}

/** Adds the link to the next page if this page is full: the same query, continued by key. */
export function linkNextPage(
  reply: LinkedReply,
  page: { readonly limit: number },
  items: readonly { id: string | number }[],
): void {
  const last = items.at(-1);
  if (!last || items.length < page.limit) return;
  const url = new URL(reply.request.url, 'http://localhost');
  url.searchParams.delete('offset');
  url.searchParams.set('after', String(last.id));
  reply.header('link', `<${url.pathname}${url.search}>; rel="next"`);
}

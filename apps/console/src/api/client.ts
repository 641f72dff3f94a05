import createClient, { type Middleware } from 'openapi-fetch';
import { Problem, problemOf } from './problem';
import type { paths } from './schema';

/** Who is signed in decides the routes: admins use `/api/v1`, customers the same routes under `/api/v1/portal`. */
export type Area = 'admin' | 'portal';

let area: Area = 'admin';

export function chooseArea(next: Area): void {
  area = next;
}

/** The resources that the portal serves to customers in the same shapes. */
const PORTAL_ROUTES =
  /\/api\/v1\/(services|deployments|templates|analyze|backups|restores|domains|usage|git)(?=\/|$|\?)/;

const errors: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await problemOf(response);
    return response;
  },
  onError() {
    return new Problem(0, 'unreachable', 'The panel does not answer. Check the connection and try again.');
  },
};

/** Requests go with the session cookie of the browser; no token is ever held by the page. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  credentials: 'same-origin',
  fetch: (request) => fetch(area === 'portal' ? portalRequest(request) : request),
});
api.use(errors);

function portalRequest(request: Request): Request {
  const url = request.url.replace(PORTAL_ROUTES, '/api/v1/portal/$1');
  return url === request.url ? request : new Request(url, request);
}

/** The body of an answer that has one. `errors` above has turned every other answer into a thrown Problem. */
export async function answer<Data>(call: Promise<{ data?: Data }>): Promise<NonNullable<Data>> {
  const { data } = await call;
  return data as NonNullable<Data>;
}

import { queryOptions, useQuery } from '@tanstack/react-query';
import { answer, api, chooseArea } from './client';
import { Problem } from './problem';
import type { Permission, User } from './types';

export interface Session {
  readonly user: User;
  readonly permissions: ReadonlySet<Permission>;
}

/** Who is signed in and what they may do; null when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  retry: false,
  queryFn: async (): Promise<Session | null> => {
    try {
      const { user } = await answer(api.GET('/api/v1/auth/me'));
      chooseArea(user.role === 'admin' ? 'admin' : 'portal');
      const { effective } = await answer(api.GET('/api/v1/permissions'));
      return { user, permissions: new Set(effective) };
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return null;
      throw error;
    }
  },
});

export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('this screen is shown to signed-in people only');
  return data;
}

/** Whether the signed-in person holds a permission. The API decides; this decides what is worth showing. */
export const useCan = (permission: Permission): boolean => useSession().permissions.has(permission);

/** Ends the session here and goes where the identity provider finishes the sign-out. */
export async function signOut(): Promise<void> {
  const { redirect_url } = await answer(api.POST('/api/v1/auth/oidc/logout'));
  location.assign(redirect_url);
}

import { useParams } from '@tanstack/react-router';

/** An id of the address. Whether it exists is for the API to say. */
export function useRouteId(name: 'id' | 'deploymentId' | 'templateId' | 'analysisId'): string {
  const params: Record<string, string | undefined> = useParams({ strict: false });
  return params[name] ?? '';
}

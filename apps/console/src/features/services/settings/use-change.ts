import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answer, api } from '../../../api/client';
import type { ServiceChange } from '../../../api/types';
import { useToast } from '../../../ui/toasts';
import { sourceQuery } from '../queries';

/**
 * Changes a service, and goes to the deployment when that takes one.
 * @param version the change is refused when somebody else has changed the service since; null: it holds in any case
 */
export function useChange(id: string, version: number | null = null) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  return useMutation({
    mutationFn: (body: ServiceChange) => {
      const condition = version === null ? {} : { header: { 'If-Match': `"${version}"` } };
      return answer(api.PATCH('/api/v1/services/{id}', { params: { path: { id }, ...condition }, body }));
    },
    onSuccess: async (accepted) => {
      await client.invalidateQueries({ queryKey: ['service', id] });
      await client.invalidateQueries({ queryKey: sourceQuery(id).queryKey, refetchType: 'none' });
      if ('deploymentId' in accepted && typeof accepted.deploymentId === 'string')
        await navigate({
          to: '/services/$id/deployments/$deploymentId',
          params: { id, deploymentId: accepted.deploymentId },
        });
      else toast('Saved. Nothing has to be deployed for this.');
    },
  });
}

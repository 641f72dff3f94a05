import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

/** What follows on a new service: its first deployment is shown, and lists that do not have it yet are forgotten. */
export function useDeployed() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return ({ serviceId, deploymentId }: { serviceId: string; deploymentId: string }) => {
    client.removeQueries({ queryKey: ['services'] });
    return navigate({ to: '/services/$id/deployments/$deploymentId', params: { id: serviceId, deploymentId } });
  };
}

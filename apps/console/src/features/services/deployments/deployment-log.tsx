import { useQuery } from '@tanstack/react-query';
import { useRefreshOn } from '../../../live/use-live';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { ProblemNotice } from '../../../ui/notice';
import { LogView, type LogViewLine } from '../../../ui/log-view';
import { download } from '../monitoring/logs';
import { deploymentLogQuery } from '../queries';

/** What a deployment said: its steps, pull and build, and the last words of containers that failed. */
export function DeploymentLog({ deploymentId, open }: { deploymentId: string; open: boolean }) {
  const { data, error } = useQuery(deploymentLogQuery(deploymentId, open));
  useRefreshOn(`deployment:${deploymentId}`, (type) => type.startsWith('deployment.'), [
    'deployment-log',
    deploymentId,
  ]);
  const lines: readonly LogViewLine[] = (data?.lines ?? []).map(({ n, source, container, text }) => ({
    key: n,
    // The panel begins its own lines with the name of the step.
    ...(source !== 'panel' && { source: container ?? source }),
    text,
    isError: source === 'probe' || (source === 'panel' && / failed: /.test(text)),
  }));
  return (
    <Card
      title="Log"
      actions={
        lines.length > 0 ? (
          <Button onClick={() => download(`deployment-${deploymentId}.log`, lines)}>Download</Button>
        ) : null
      }
    >
      <ProblemNotice error={error} />
      {lines.length === 0 ? (
        <p className="text-quiet text-sm">{open ? 'Nothing was written yet.' : 'This deployment left no log.'}</p>
      ) : (
        <LogView lines={lines} follow={open} label="Log of the deployment" />
      )}
    </Card>
  );
}

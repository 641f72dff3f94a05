import { Link } from '@tanstack/react-router';
import type { Analysis } from '../../api/types';
import { percent } from '../../ui/figures/amounts';
import { Badge } from '../../ui/badge';
import { buttonClass } from '../../ui/button';
import { Card, Facts } from '../../ui/card';
import { Notice } from '../../ui/notice';
import { Table } from '../../ui/table';

type Result = NonNullable<Analysis['result']>;

const Evidence = ({ place }: { place: string }) =>
  place ? (
    <code className="font-mono text-xs break-all">{place}</code>
  ) : (
    <span className="text-quiet">a guess of the model</span>
  );

/** What was found, each with the place in the repository that says so. */
export function AnalysisFindings({ analysisId, result }: { analysisId: string; result: Result }) {
  return (
    <>
      {result.warnings.length > 0 ? (
        <Notice tone="warn">
          <ul className="list-disc pl-5">
            {result.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
      <Card title="What it is" actions={<DeployLinks analysisId={analysisId} result={result} />}>
        <p className="mb-4 text-sm">{result.summary}</p>
        <Facts
          facts={[
            ['Language', result.language],
            ['Framework', result.framework],
            ['Package manager', result.package_manager],
            ['Built', result.build_method === 'dockerfile' ? 'with its Dockerfile' : 'by what its files say'],
            ['Port', result.port],
            ['Start', result.start_command ? <code className="font-mono text-xs">{result.start_command}</code> : null],
            ['Health check', result.healthcheck?.path],
            ['Keeps data in', result.volumes.map(({ path }) => path).join(', ') || null],
            ['Certainty', `${percent(result.confidence * 100)} was found in files; the rest is a guess of the model`],
          ]}
        />
      </Card>
      {result.env_vars.length > 0 ? (
        <Card flush title="Variables">
          <Table
            plain
            stacks
            caption="Variables"
            rows={result.env_vars}
            keyOf={({ name }) => name}
            columns={[
              {
                title: 'Name',
                cell: ({ name, required, secret }) => (
                  <span className="flex flex-wrap items-center gap-2">
                    <code className="font-mono text-xs">{name}</code>
                    {required ? <Badge tone="warn">required</Badge> : null}
                    {secret ? <Badge tone="neutral">secret</Badge> : null}
                  </span>
                ),
              },
              { title: 'What for', grows: true, wide: true, cell: ({ description }) => description ?? '–' },
              { title: 'Default', wide: true, cell: ({ default: value }) => value ?? '–' },
              { title: 'Found in', cell: ({ evidence }) => <Evidence place={evidence} /> },
            ]}
          />
        </Card>
      ) : null}
      {result.databases.length > 0 ? (
        <Card flush title="Databases">
          <Table
            plain
            stacks
            caption="Databases"
            rows={result.databases}
            keyOf={({ kind }) => kind}
            columns={[
              { title: 'Kind', cell: ({ kind }) => <span className="font-medium">{kind}</span> },
              {
                title: 'Variables',
                grows: true,
                wide: true,
                cell: ({ env_mapping: names }) => Object.keys(names).join(', '),
              },
              { title: 'Found in', cell: ({ evidence }) => <Evidence place={evidence} /> },
              {
                title: 'Actions',
                quiet: true,
                cell: ({ kind, template_id: templateId }) =>
                  templateId ? (
                    <Link
                      to="/deploy/template/$templateId"
                      params={{ templateId }}
                      className={buttonClass()}
                      aria-label={`Deploy ${kind}`}
                    >
                      Deploy
                    </Link>
                  ) : null,
              },
            ]}
          />
        </Card>
      ) : null}
    </>
  );
}

function DeployLinks({ analysisId, result: { deploy } }: { analysisId: string; result: Result }) {
  const { git, compose } = deploy as { readonly git: object | null; readonly compose: object | null };
  return (
    <>
      {compose ? (
        <Link to="/deploy/compose" search={{ analysis: analysisId }} className={buttonClass()}>
          As a compose file
        </Link>
      ) : null}
      {git ? (
        <Link to="/deploy/git" search={{ analysis: analysisId }} className={buttonClass('primary')}>
          Deploy this
        </Link>
      ) : null}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../api/problem';
import type { ServiceSource } from '../../api/types';
import { Button } from '../../ui/button';
import { Card, Facts } from '../../ui/card';
import { Loading } from '../../ui/empty-state';
import { CheckField, TextArea } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { ProblemNotice } from '../../ui/notice';
import { sourceQuery } from '../services/queries';
import { useChange } from '../services/settings/use-change';
import { BuildFields, DeployKeyField, RepositoryFields } from './git-fields';
import { changedFields, METHODS, textsOfSource } from './git-texts';

/** What a service from a repository is made from. Reading it is recorded, so it is asked for. */
export function SourceSettings({ id, canWrite }: { id: string; canWrite: boolean }) {
  const [shown, setShown] = useState(false);
  const [editing, setEditing] = useState(false);
  const { data, error } = useQuery({ ...sourceQuery(id), enabled: shown });
  return (
    <Card
      title="Repository and build"
      actions={
        shown && data?.git && canWrite && !editing ? <Button onClick={() => setEditing(true)}>Change</Button> : null
      }
    >
      {shown ? null : (
        <div className="flex flex-wrap items-center gap-3 text-sm">
          <Button onClick={() => setShown(true)}>Show the settings</Button>
          <span className="text-quiet text-xs">The audit log records that you looked.</span>
        </div>
      )}
      <ProblemNotice error={error} />
      {shown && !data && !error ? <Loading what="the settings" /> : null}
      {shown && data?.git && !editing ? <Shown git={data.git} /> : null}
      {shown && data?.git && editing ? (
        <Editor key={data.version} id={id} version={data.version} git={data.git} onDone={() => setEditing(false)} />
      ) : null}
    </Card>
  );
}

type Git = NonNullable<ServiceSource['git']>;

function Shown({ git }: { git: Git }) {
  return (
    <Facts
      facts={[
        [
          'Repository',
          <span key="url" className="break-all">
            {git.git_repo_url}
          </span>,
        ],
        ['Branch or tag', git.git_branch],
        ['Build', METHODS.find(([method]) => method === git.build_method)?.[1]],
        ['Port', git.port],
        ['Folder', git.base_directory || 'the whole repository'],
        ['Dockerfile', git.dockerfile_path ?? 'Dockerfile'],
        ['Deploy key', git.has_deploy_key ? 'stored, never shown' : 'none'],
        [
          'Deployed when',
          git.watch_paths.length === 0 ? 'anything is pushed' : `pushed: ${git.watch_paths.join(', ')}`,
        ],
      ]}
    />
  );
}

interface EditorProps {
  readonly id: string;
  readonly version: number;
  readonly git: Git;
  readonly onDone: () => void;
}

function Editor({ id, version, git, onDone }: EditorProps) {
  const before = textsOfSource(git);
  const [texts, setTexts] = useState(before);
  const [forgetsKey, setForgetsKey] = useState(false);
  const changes = { ...changedFields(before, texts), ...(forgetsKey && { deploy_key: null }) };
  const save = useChange(id, version);
  const problem = save.error instanceof Problem ? save.error : null;
  const fields = { texts, onChange: setTexts, problem };
  const isChanged = Object.keys(changes).length > 0;
  return (
    <Form onSubmit={() => save.mutate(changes, { onSuccess: onDone })}>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <RepositoryFields {...fields} />
        <BuildFields {...fields} />
      </div>
      <TextArea
        label="Paths that count"
        hint="One a line, such as apps/api/**. With paths here, a push is deployed only if it changes one of them; !docs/** leaves paths out. Empty: every push is deployed."
        value={texts.watchPaths}
        onChange={(watchPaths) => setTexts({ ...texts, watchPaths })}
        spellCheck={false}
        error={problem?.at('/watch_paths')}
      />
      {forgetsKey ? null : <DeployKeyField {...fields} isStored={git.has_deploy_key} />}
      {git.has_deploy_key ? (
        <CheckField label="Forget the stored deploy key" checked={forgetsKey} onChange={setForgetsKey} />
      ) : null}
      <ProblemNotice error={save.error} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" busy={save.isPending} disabled={!isChanged}>
          Save and deploy
        </Button>
        <Button onClick={onDone}>Cancel</Button>
        <span className="text-quiet text-xs">
          {isChanged
            ? 'The program is built and deployed with the new settings. If that fails, the present version stays.'
            : 'Nothing is changed yet.'}
        </span>
      </div>
    </Form>
  );
}

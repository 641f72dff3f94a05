import { createGitService } from '../../api/limits';
import type { Problem } from '../../api/problem';
import { SelectField, TextArea, TextField } from '../../ui/forms/field';
import { METHODS, methodOf, type GitTexts } from './git-texts';

interface Props {
  readonly texts: GitTexts;
  readonly onChange: (texts: GitTexts) => void;
  readonly problem: Problem | null;
}

/** Which repository, and which part of it. */
export function RepositoryFields({ texts, onChange, problem }: Props) {
  const change = (name: keyof GitTexts) => (value: string) => onChange({ ...texts, [name]: value });
  return (
    <>
      <div className="sm:col-span-2">
        <TextField
          label="Repository"
          limit={createGitService.git_repo_url}
          placeholder="https://github.com/acme/shop"
          hint="Its https or ssh address, without a password in it."
          value={texts.url}
          onChange={change('url')}
          error={problem?.at('/git_repo_url')}
        />
      </div>
      <TextField
        label="Branch or tag"
        limit={createGitService.git_branch}
        placeholder="main"
        value={texts.branch}
        onChange={change('branch')}
        error={problem?.at('/git_branch')}
      />
    </>
  );
}

/** How the program is built, and where it listens. */
export function BuildFields({ texts, onChange, problem }: Props) {
  const change = (name: keyof GitTexts) => (value: string) => onChange({ ...texts, [name]: value });
  return (
    <>
      <SelectField
        label="How to build it"
        value={texts.method}
        onChange={(value) => onChange({ ...texts, method: methodOf(value) })}
        error={problem?.at('/build_method')}
      >
        {METHODS.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Port of the program"
        inputMode="numeric"
        limit={createGitService.port}
        placeholder="8080"
        hint="The port it listens on. The program also finds this number in the variable PORT."
        value={texts.port}
        onChange={change('port')}
        error={problem?.at('/port')}
      />
      <TextField
        label="Folder in the repository"
        limit={createGitService.base_directory}
        placeholder="the whole repository"
        value={texts.folder}
        onChange={change('folder')}
        error={problem?.at('/base_directory')}
      />
      <TextField
        label="Path of the Dockerfile"
        limit={createGitService.dockerfile_path}
        placeholder="Dockerfile"
        hint="Below the folder above."
        value={texts.dockerfile}
        onChange={change('dockerfile')}
        error={problem?.at('/dockerfile_path')}
      />
    </>
  );
}

/** For repositories that are not public. @param isStored whether the service has one already */
export function DeployKeyField({ texts, onChange, problem, isStored = false }: Props & { isStored?: boolean }) {
  return (
    <TextArea
      label={isStored ? 'New deploy key' : 'Deploy key'}
      hint={
        isStored
          ? 'A key is stored and is never shown. Leave this empty to keep it.'
          : 'For a repository that is not public: a private SSH key without a passphrase. It is never shown again.'
      }
      limit={createGitService.deploy_key}
      value={texts.deployKey}
      onChange={(deployKey) => onChange({ ...texts, deployKey })}
      autoComplete="off"
      spellCheck={false}
      error={problem?.at('/deploy_key')}
    />
  );
}

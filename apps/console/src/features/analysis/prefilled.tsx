import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from '../../ui/empty-state';
import { ProblemNotice } from '../../ui/notice';
import { analysisQuery } from './queries';

type Body = Readonly<Record<string, unknown>>;
type Way = 'git' | 'compose';

interface Props {
  readonly way: Way;
  /** The analysis whose proposal fills the form; none for an empty form. */
  readonly analysisId: string | undefined;
  readonly form: (proposal: Body) => ReactNode;
}

/** A form that an analysis has filled in. */
export function Prefilled({ way, analysisId, form }: Props): ReactNode {
  return analysisId ? <Proposed way={way} analysisId={analysisId} form={form} /> : form({});
}

function Proposed({ way, analysisId, form }: Props & { analysisId: string }) {
  const { data, error } = useQuery(analysisQuery(analysisId));
  if (error) return <ProblemNotice error={error} />;
  if (!data) return <Loading what="the analysis" />;
  const deploy = data.result?.deploy as Partial<Record<Way, Body | null>> | undefined;
  const variables = (data.result?.env_vars ?? []).filter((one) => one.default === null);
  const missing = Object.fromEntries(variables.map(({ name }) => [name, '']));
  const proposal = deploy?.[way] ?? {};
  // What has no value yet gets an empty field, so that it is not forgotten; left empty it is not sent.
  return form({ ...proposal, variables: { ...missing, ...(proposal['variables'] as Body | undefined) } });
}

export const textIn = (body: Body, name: string): string => {
  const value = body[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

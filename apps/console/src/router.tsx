import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AnalysisForm } from './features/analysis/analysis-form';
import { AnalysisPage } from './features/analysis/analysis-page';
import { Prefilled } from './features/analysis/prefilled';
import { Backups } from './features/backups/backups';
import { AuditLog } from './features/audit/audit-log';
import { DomainList } from './features/domains/domain-list';
import { GitSource } from './features/git/git-source';
import { GitForm } from './features/git/git-form';
import { KeyList } from './features/keys/key-list';
import { OrganisationList } from './features/organisations/organisation-list';
import { OrganisationPage } from './features/organisations/organisation-page';
import { OwnOrganisation } from './features/organisations/own-organisation';
import type { OrganisationSearch } from './features/organisations/queries';
import { ComposeForm } from './features/services/source/compose-form';
import { DeploymentPage } from './features/services/deployments/deployment-page';
import { Deployments } from './features/services/deployments/deployments';
import { Disk } from './features/services/monitoring/disk';
import { Logs } from './features/services/monitoring/logs';
import { ServiceMetrics } from './features/services/monitoring/metrics';
import { Overview } from './features/services/overview';
import type { ServiceSearch } from './features/services/queries';
import { ServiceLayout } from './features/services/service-layout';
import { ServiceList } from './features/services/list/service-list';
import { ServiceSettings } from './features/services/settings/settings';
import { Variables } from './features/services/settings/variables';
import { Credentials } from './features/templates/credentials';
import { TemplateForm } from './features/templates/template-form';
import { TemplateList } from './features/templates/template-list';
import { Broken } from './routes/broken';
import { Deploy } from './routes/deploy';
import { Layout } from './routes/layout';
import { NotFound } from './routes/not-found';
import { Partner } from './routes/partner';
import { useRouteId } from './routes/route-ids';
import { WaysToDeploy } from './routes/ways-to-deploy';

const root = createRootRoute({ component: Layout, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- a redirect is thrown, says the router
    throw redirect({ to: '/services', search: { page: 1 } });
  },
});

const pageOf = (value: unknown): number => Math.max(1, Math.trunc(Number(value)) || 1);

const services = createRoute({
  getParentRoute: () => root,
  path: '/services',
  validateSearch: (search: Record<string, unknown>): ServiceSearch => ({
    page: pageOf(search['page']),
    ...(typeof search['status'] === 'string' && { status: search['status'] }),
    ...(typeof search['search'] === 'string' && { search: search['search'] }),
  }),
  component: () => <ServiceList search={services.useSearch()} />,
});

const service = createRoute({ getParentRoute: () => root, path: '/services/$id', component: ServiceScreen });
function ServiceScreen(): ReactNode {
  return <ServiceLayout id={useRouteId('id')} />;
}

function ofService<const Path extends string>(path: Path, Screen: (props: { id: string }) => ReactNode) {
  const Bound = (): ReactNode => <Screen id={useRouteId('id')} />;
  return createRoute({ getParentRoute: () => service, path, component: Bound });
}

const deployment = createRoute({
  getParentRoute: () => service,
  path: '/deployments/$deploymentId',
  component: DeploymentScreen,
});
function DeploymentScreen(): ReactNode {
  return <DeploymentPage id={useRouteId('id')} deploymentId={useRouteId('deploymentId')} />;
}

function TemplateScreen(): ReactNode {
  return <TemplateForm templateId={useRouteId('templateId')} />;
}

const ways = createRoute({ getParentRoute: () => root, path: '/deploy', component: WaysToDeploy });
// Without a path of its own: the ways share a frame that the question before them does not have.
const deploy = createRoute({ getParentRoute: () => root, id: 'deploy-frame', component: Deploy });
/** The analysis that fills in the form. */
const analysisIn = (search: Record<string, unknown>): { analysis?: string } =>
  typeof search['analysis'] === 'string' ? { analysis: search['analysis'] } : {};

const deployGit = createRoute({
  getParentRoute: () => deploy,
  path: '/deploy/git',
  validateSearch: analysisIn,
  component: GitFormScreen,
});
function GitFormScreen(): ReactNode {
  const { analysis }: { analysis?: string } = deployGit.useSearch();
  return <Prefilled way="git" analysisId={analysis} form={(proposal) => <GitForm proposal={proposal} />} />;
}
const deployCompose = createRoute({
  getParentRoute: () => deploy,
  path: '/deploy/compose',
  validateSearch: analysisIn,
  component: ComposeFormScreen,
});
function ComposeFormScreen(): ReactNode {
  const { analysis }: { analysis?: string } = deployCompose.useSearch();
  return <Prefilled way="compose" analysisId={analysis} form={(proposal) => <ComposeForm proposal={proposal} />} />;
}
function AnalysisScreen(): ReactNode {
  return <AnalysisPage id={useRouteId('analysisId')} />;
}

const organisations = createRoute({
  getParentRoute: () => root,
  path: '/organisations',
  validateSearch: (search: Record<string, unknown>): OrganisationSearch => ({
    page: pageOf(search['page']),
    ...(typeof search['search'] === 'string' && { search: search['search'] }),
  }),
  component: () => <OrganisationList search={organisations.useSearch()} />,
});
const organisation = createRoute({
  getParentRoute: () => root,
  path: '/organisations/$id',
  component: OrganisationScreen,
});
function OrganisationScreen(): ReactNode {
  return <OrganisationPage id={useRouteId('id')} />;
}
const ownOrganisation = createRoute({ getParentRoute: () => root, path: '/organisation', component: OwnOrganisation });
const keys = createRoute({ getParentRoute: () => root, path: '/keys', component: KeyList });
const partner = createRoute({ getParentRoute: () => root, path: '/partner', component: Partner });
const audit = createRoute({ getParentRoute: () => root, path: '/audit', component: AuditLog });

const routeTree = root.addChildren([
  home,
  services,
  service.addChildren([
    ofService('/', Overview),
    ofService('/deployments', Deployments),
    deployment,
    ofService('/credentials', Credentials),
    ofService('/backups', Backups),
    ofService('/logs', Logs),
    ofService('/metrics', ServiceMetrics),
    ofService('/disk', Disk),
    ofService('/variables', Variables),
    ofService('/git', GitSource),
    ofService('/domains', DomainList),
    ofService('/settings', ServiceSettings),
  ]),
  ways,
  deploy.addChildren([
    deployCompose,
    deployGit,
    createRoute({ getParentRoute: () => deploy, path: '/deploy/analysis', component: AnalysisForm }),
    createRoute({ getParentRoute: () => deploy, path: '/deploy/analysis/$analysisId', component: AnalysisScreen }),
    createRoute({ getParentRoute: () => deploy, path: '/deploy/template', component: TemplateList }),
    createRoute({ getParentRoute: () => deploy, path: '/deploy/template/$templateId', component: TemplateScreen }),
  ]),
  organisations,
  organisation,
  ownOrganisation,
  keys,
  audit,
  partner,
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

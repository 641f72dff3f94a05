/** Opens what is behind the buttons of those names, one after the other. A test presses them by keyboard. */
const press = (...names) => {
  const open = async (page) => {
    for (const name of names) await page.getByRole('button', { name, exact: true }).first().click();
  };
  return Object.assign(open, { names });
};

/** What there is to see before anybody has made anything. */
export const EMPTY_SCREENS = [
  ['services-0', '/services'],
  ['keys-0', '/keys'],
];

/** What there is to see with three services. */
export const screensOf = ({
  shop,
  cache,
  broken,
  pushed,
  preview,
  database,
  failure,
  template,
  analysis,
  organisation,
}) => [
  ['services-3', '/services'],
  ['services-none-found', '/services?page=1&search=nothing'],
  ['overview', `/services/${shop}`],
  ['overview-error', `/services/${broken}`],
  ['overview-not-there', '/services/00000000-0000-4000-8000-000000000000'],
  ['deployments', `/services/${shop}/deployments`],
  ['deployment-failed', `/services/${broken}/deployments/${failure}`],
  ['credentials', `/services/${cache}/credentials`],
  ['credentials-change', `/services/${cache}/credentials`, press('Change the password')],
  ['backups-0', `/services/${cache}/backups`],
  ['backups', `/services/${database}/backups`],
  ['backups-restore', `/services/${database}/backups`, press(/^Restore the backup/)],
  ['backups-moment', `/services/${database}/backups`, press('Bring this moment back')],
  ['backups-clone', `/services/${database}/backups`, press('Clone this database')],
  ['backups-schedule', `/services/${database}/backups`, press('Change')],
  ['backups-delete', `/services/${database}/backups`, press(/^Delete the backup/)],
  ['backups-stop-recording', `/services/${database}/backups`, press('Stop recording')],
  ['git', `/services/${pushed}/git`],
  ['git-change', `/services/${pushed}/git`, press('Show the settings', 'Change')],
  ['git-previews', `/services/${pushed}/git`, press('Change previews')],
  ['git-statuses', `/services/${pushed}/git`, press('Set up statuses')],
  ['git-hook', `/services/${pushed}/git`, press('New secret')],
  ['overview-preview', `/services/${preview}`],
  ['logs', `/services/${shop}/logs`],
  ['metrics', `/services/${shop}/metrics`],
  ['disk', `/services/${shop}/disk`],
  ['variables', `/services/${shop}/variables`, press('Show the names')],
  ['domains', `/services/${shop}/domains`],
  ['settings', `/services/${shop}/settings`],
  ['settings-source', `/services/${shop}/settings`, press('Open to edit')],
  ['settings-limits', `/services/${database}/settings`],
  ['settings-back', `/services/${shop}/settings`, press(/^Go back to version/)],
  ['settings-delete', `/services/${shop}/settings`, press('Delete shop')],
  ['domains-remove', `/services/${shop}/domains`, press(/^Remove shop/)],
  ['stop', `/services/${shop}`, press('Stop')],
  ['suspend', `/services/${shop}`, press('Suspend')],
  ['deploy-template', '/deploy/template'],
  ['deploy-template-form', `/deploy/template/${template}`],
  ['deploy-git', '/deploy/git'],
  ['deploy', '/deploy'],
  ['deploy-compose', '/deploy/compose'],
  ['deploy-analysis', '/deploy/analysis'],
  ['deploy-analysis-result', `/deploy/analysis/${analysis}`],
  ['organisations', '/organisations'],
  ['organisation-new', '/organisations', press('New organisation')],
  ['organisation', `/organisations/${organisation}`],
  ['organisation-limits', `/organisations/${organisation}`, press('Change limits')],
  ['organisation-member', `/organisations/${organisation}`, press('Add a member')],
  ['organisation-remove', `/organisations/${organisation}`, press(/^Remove grace/)],
  ['keys', '/keys'],
  ['keys-revoke', '/keys', press(/^Revoke/)],
  ['keys-new', '/keys', press('New key')],
  ['audit', '/audit'],
  ['partner', '/partner'],
  ['not-found', '/nowhere'],
];

/** What a customer sees after the services are gone. */
export const CUSTOMER_SCREENS = [
  ['customer-services', '/services'],
  ['customer-organisation', '/organisation'],
  ['customer-elsewhere', '/organisations'],
];

/** What there is to see with five hundred. */
export const CROWDED_SCREENS = [
  ['services-500', '/services'],
  ['services-500-error', '/services?page=1&status=error'],
  ['services-500-last', '/services?page=11'],
];

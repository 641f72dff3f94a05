/** Prefixes of the names of restored collections, and of the old collections that they replace. */
export const RESTORING = 'panel_restoring.';
export const REPLACED = 'panel_replaced.';
/**
 * A collection that exists during the exchange. It records the old collections and the definitions of the old views.
 */
export const VIEWS = 'panel_views';

/**
 * A script for `mongosh`. Calls of the server must be in plain statements and loops, where mongosh awaits their results
 * by itself. In callbacks of array methods it does not.
 */
function script(body: string): string {
  return `try {
const admin = db.getSiblingDB('admin');
admin.auth(process.env.PANEL_USER, process.env.PANEL_PASSWORD);
const own = db.getSiblingDB(process.env.PANEL_DATABASE);
const isPanels = (name) => name === '${VIEWS}' || name.startsWith('${RESTORING}') || name.startsWith('${REPLACED}');
const isSystems = (name) => name.startsWith('system.') && name !== 'system.js';
${body}
} catch (error) {
  process.stderr.write(String(error.message) + '\\n');
  quit(1);
}`;
}

/** Prints the version, and what the server contains beyond a dump of one database. */
export const LOOK = script(`
const databases = admin.runCommand({ listDatabases: 1, nameOnly: true }).databases;
const users = [];
const roles = [];
for (const place of [admin, own]) {
  const found = place.runCommand({ usersInfo: 1 }).users;
  for (const { user } of found) if (user !== process.env.PANEL_USER) users.push(user);
  const made = place.runCommand({ rolesInfo: 1 }).roles;
  for (const { role } of made) roles.push(role);
}
print(JSON.stringify({ version: db.version(), databases: databases.map(({ name }) => name), users, roles }));`);

/**
 * Prints the collections whose names begin with PANEL_PREFIX. If it is empty: all collections except the panel's own.
 */
export const COUNT = script(`
const prefix = process.env.PANEL_PREFIX;
const infos = own.getCollectionInfos();
const collections = [];
for (const { name, type, options } of infos) {
  if (isSystems(name) || (prefix === '' ? isPanels(name) : !name.startsWith(prefix))) continue;
  let indexes = [];
  let documents = 0;
  if (type !== 'view') {
    indexes = own.getCollection(name).getIndexes();
    documents = own.getCollection(type === 'timeseries' ? 'system.buckets.' + name : name).countDocuments({});
  }
  collections.push({ name: name.slice(prefix.length), options, indexes, documents: Number(documents) });
}
print(JSON.stringify(collections));`);

/** Prints names and types of all collections and views except those of the panel and the server. */
export const NAMES = script(`
const infos = own.getCollectionInfos();
print(JSON.stringify(infos.filter(({ name }) => !isPanels(name) && !isSystems(name)).map(({ name, type }) => ({ name, type }))));`);

const KEEP_EXPIRED = 'admin.runCommand({ setParameter: 1, ttlMonitorEnabled: false });';

/** Sets the removal of expired documents back to the server's start option. */
const DROP_EXPIRED = `
const asked = admin.runCommand({ getCmdLineOpts: 1 }).parsed.setParameter;
const isOff = asked !== undefined && String(asked.ttlMonitorEnabled) === 'false';
admin.runCommand({ setParameter: 1, ttlMonitorEnabled: !isOff });`;

/** Keeps expired documents while they are counted. This also applies to the service's own data meanwhile. */
export const BEGIN_BESIDE = script(KEEP_EXPIRED);

/** Prepares a restore into a database without data. `TIDY` removes what has been restored if it fails. */
export const BEGIN_IN_PLACE = script(`
const infos = own.getCollectionInfos();
const collections = infos.map(({ name }) => name);
own.getCollection('${VIEWS}').insertOne({ collections, definitions: '[]' });
${KEEP_EXPIRED}`);

export const END_IN_PLACE = script(`own.getCollection('${VIEWS}').drop();${DROP_EXPIRED}`);

/**
 * Exchanges the restored collections with the old ones. A collection is renamed in one step, without copying documents.
 * A view cannot be renamed, so it is created again. The exchange is final once the record of the old collections is
 * dropped.
 */
export const EXCHANGE = script(`
const infos = own.getCollectionInfos();
const before = infos.filter(({ name }) => !isPanels(name) && !isSystems(name));
const after = infos.filter(({ name }) => name.startsWith('${RESTORING}'));
const views = before.filter(({ type }) => type === 'view');
const collections = before.filter(({ type }) => type !== 'view').map(({ name }) => name);
const definitions = EJSON.stringify(views.map(({ name, options }) => ({ name, options })), { relaxed: false });
own.getCollection('${VIEWS}').insertOne({ collections, definitions });
for (const { name } of views) own.getCollection(name).drop();
for (const name of collections) own.getCollection(name).renameCollection('${REPLACED}' + name);
for (const { name, type, options } of after) {
  const bare = name.slice('${RESTORING}'.length);
  if (type === 'view') own.runCommand({ create: bare, ...options });
  else own.getCollection(name).renameCollection(bare);
}
own.getCollection('${VIEWS}').drop();
for (const { name, type } of after) if (type === 'view') own.getCollection(name).drop();
for (const name of collections) own.getCollection('${REPLACED}' + name).drop();
${DROP_EXPIRED}`);

/** Restores the old collections, unless the exchange is final, and removes what a restore left behind. */
export const TIDY = script(`
const infos = own.getCollectionInfos();
const list = own.getCollection('${VIEWS}').findOne({});
if (list !== null) {
  const aside = infos.map(({ name }) => name).filter((name) => name.startsWith('${REPLACED}'));
  for (const { name, type } of infos) {
    if (isPanels(name) || isSystems(name)) continue;
    if (type === 'view' || !list.collections.includes(name)) own.getCollection(name).drop();
  }
  for (const name of aside) own.getCollection(name).renameCollection(name.slice('${REPLACED}'.length), true);
  for (const { name, options } of EJSON.parse(list.definitions, { relaxed: false }))
    own.runCommand({ create: name, ...options });
}
for (const { name } of infos) if (name.startsWith('${RESTORING}')) own.getCollection(name).drop();
own.getCollection('${VIEWS}').drop();
if (list === null)
  for (const { name } of infos) if (name.startsWith('${REPLACED}')) own.getCollection(name).drop();
${DROP_EXPIRED}`);

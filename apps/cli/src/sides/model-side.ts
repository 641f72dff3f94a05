import { LocalModelModule } from '#libs/analysis';
import { panelSide, type PanelSideSettings } from './panel-side.js';
import type { Side } from './side.js';

/** The bundled model, which runs as a service of the panel itself. */
export const modelSide: Side<PanelSideSettings> = {
  settings: (env) => panelSide.settings(env),
  modules: (settings) => {
    const { others, services } = panelParts(settings);
    return [...others, services, LocalModelModule.forRoot(services)];
  },
};

function panelParts(settings: PanelSideSettings) {
  const modules = panelSide.modules(settings);
  const services = modules.at(-1);
  if (!services || !('module' in services)) throw new Error('the services module must be the last one');
  return { others: modules.slice(0, -1), services };
}

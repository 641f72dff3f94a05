/** Where the routes of services stand. Both areas do the same with the same services, but not with everybody's. */
export interface RouteArea {
  readonly reach: 'panel' | 'home';
  /** The same operation has a name of its own in each area. */
  operationId(name: string): string;
}

/** For admins: all services, or those of the organisation that the key is bound to. */
export const PANEL: RouteArea = { reach: 'panel', operationId: (name) => name };

/** For customers: the services of their own organisation and those below it. */
export const PORTAL: RouteArea = {
  reach: 'home',
  operationId: (name) => `portal${name.charAt(0).toUpperCase()}${name.slice(1)}`,
};

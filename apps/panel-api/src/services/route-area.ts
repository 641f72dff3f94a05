/** Where the routes of services stand. Both areas do the same with the same services, but not with everybody's. */
export interface RouteArea {
  readonly reach: 'panel' | 'home';
  /** What every route that changes something answers besides, whether or not it reads its body. */
  readonly errors: readonly number[];
  /** The same operation has a name of its own in each area. */
  operationId(name: string): string;
}

/** For admins: all services, or those of the organisation that the key is bound to. */
export const PANEL: RouteArea = { reach: 'panel', errors: [], operationId: (name) => name };

/** For customers: the services of their own organisation and those below it. */
export const PORTAL: RouteArea = {
  reach: 'home',
  // A body that names a customer.
  errors: [422],
  operationId: (name) => `portal${name.charAt(0).toUpperCase()}${name.slice(1)}`,
};

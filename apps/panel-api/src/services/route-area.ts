/** The two areas of routes. Both offer the same operations, but on different sets of services. */
export interface RouteArea {
  readonly reach: 'panel' | 'home';
  /** Additional error statuses of every changing route of the area. */
  readonly errors: readonly number[];
  /** The operation id, which must differ between the areas. */
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

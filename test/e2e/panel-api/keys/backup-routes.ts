import type { Permission } from '#libs/panel-auth';

/** The routes of backups, which exist in both areas. @param row creates the row of a route */
export function backupRoutes<Row>(area: string, row: (permission: Permission, ok: number) => Row): Record<string, Row> {
  return {
    [`GET ${area}/services/{id}/backups`]: row('backups:read', 404),
    [`POST ${area}/services/{id}/backups`]: row('backups:create', 404),
    [`GET ${area}/services/{id}/backup-policy`]: row('backups:read', 404),
    [`PUT ${area}/services/{id}/backup-policy`]: row('backups:create', 422),
    [`POST ${area}/services/{id}/restore`]: row('backups:restore', 422),
    [`GET ${area}/services/{id}/restores`]: row('backups:read', 404),
    [`GET ${area}/services/{id}/recovery-window`]: row('backups:read', 404),
    [`POST ${area}/services/{id}/clone`]: row('backups:restore', 422),
    [`GET ${area}/backups/{id}`]: row('backups:read', 404),
    [`GET ${area}/backups/{id}/download`]: row('backups:restore', 404),
    [`POST ${area}/backups/{id}/verify`]: row('backups:create', 404),
    [`DELETE ${area}/backups/{id}`]: row('backups:delete', 404),
    [`GET ${area}/restores/{id}`]: row('backups:read', 404),
  };
}

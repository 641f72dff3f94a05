#!/bin/sh
# The role of the application is not a superuser. A superuser could disable the triggers that make the ledger and the
# statements immutable.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" -U postgres <<'SQL'
create role tenantry login password :'password';
create database tenantry owner tenantry encoding 'UTF8' template template0;
SQL

#!/bin/sh
# The application's role is no superuser: the triggers that make ledger and statements immutable must hold against it.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" -U postgres <<'SQL'
create role tenantry login password :'password';
create database tenantry owner tenantry encoding 'UTF8' template template0;
SQL

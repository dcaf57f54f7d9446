import type { AllowedPlaces } from './source-rule.ts'

/** Never input of a caller: constants, one of two literals, or parts whose names are already quoted. */
export const knownSql: AllowedPlaces = {
  'server/src/features/groups/queries.ts': ['sql.raw(sort)'],
  'server/src/features/data/read-examples.ts': ['cells'],
  'server/src/access/warehouse/warehouse-histories.ts': ['at', "measureSql('m')", "measureSql('h', 'history')"],
  'server/src/features/data/warehouse-facts.ts': ["counts.join(', ')"],
  'server/src/features/loads/load-table-rows.ts': ["wanted.join(', ')", "among.join(', ')"],
  'server/src/features/privacy/keyset-pagination.ts': ['sql.raw(type)'],
  'server/src/features/planning-structure/queries.ts': ['sql.raw(sort)'],
  'server/src/features/table-sync/queries.ts': ['sql.raw(String(batchSize))'],
  'server/src/access/logins/apply-grants.ts': [
    "tables.join(', ')",
    'nameOf(of)',
    'what',
    'list(granted)',
    'list(revoked)',
  ],
  'server/src/access/logins/login-guard.ts': [
    "superuser ? 'secret.rolpassword' : 'NULL::text'",
    "superuser ? 'JOIN pg_authid AS secret ON secret.oid = role.oid' : ''",
  ],
  'server/src/access/logins/shared-reader.ts': ["isOn ? 'LOGIN' : 'NOLOGIN'"],
  'server/src/access/logins/person-roles.ts': [
    "mayLogin ? 'LOGIN' : 'NOLOGIN'",
    'connectionsMax',
    "kind === 'assistant' ? '' : `; GRANT ${q(access)} TO ${q(name)}`",
    "isReachedByTcp ? `; GRANT ${tcpReaders} TO ${q(name)}` : ''",
    "superuser ? '' : `; GRANT ${q(name)} TO CURRENT_USER`",
    'setting',
    'list',
  ],
  'server/src/access/logins/rights-schema.ts': ['rightsSchema'],
  // Statements for the operator to read, and conditions without values.
  'server/src/access/warehouse/missing-rights.ts': ['attributes', 'mayChange', 'mayActAs', 'list', 'options'],
  'server/src/access/warehouse/warehouse-database.ts': [
    'locale',
    'connectionsMax',
    "isTcpRoleNeeded ? `; GRANT ${tcpReaders} TO ${q(readerName)}` : ''",
    'signature',
    'limit',
  ],
  // Names and definitions that PostgreSQL has quoted.
  'server/src/access/warehouse/moves/copy-tables.ts': ['name', 'copied', 'sequence'],
  'server/src/access/warehouse/moves/foreign-rights.ts': ['expectedSql', 'rowPolicy', 'tcpReaders'],
  'server/src/access/warehouse/moves/new-copy.ts': ["readerDisabledAt === null ? 'LOGIN' : 'NOLOGIN'"],
  'server/src/access/warehouse/moves/old-copy.ts': ['table', 'port', "readers.map((role) => q(role)).join(', ')"],
  'server/src/access/warehouse/moves/read-tables.ts': ['columnSql', 'columnOptionsSql'],
  'server/src/kernel/embedded/supervisor.ts': ['storeRole', 'warehouseReaders', 'storeDatabase'],
  // Function signatures that PostgreSQL has quoted.
  'server/src/kernel/store/revoke-large-objects.ts': ['signature'],
  'server/src/kernel/store/locks.ts': ['lock'],
  'server/src/planning/tables/planned-tables.ts': ['pair', 'milestone', 'entity'],
  // A validated id, set before each statement, where a parameter would cost another round trip.
  'server/src/kernel/store/store.ts': ['organisation'],
  'server/src/trial/shop.ts': ['database', 'reader.user', 'tcpReaders', 'reader.password'],
}

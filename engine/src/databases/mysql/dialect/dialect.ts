/** The dialect of a SQL target that MySQL and MariaDB speak. */
import { fitName } from '../../sql-target/names.ts'
import type { SqlDialect } from '../../sql-target/dialect.ts'
import { targetSessions } from '../../sql-target/sessions.ts'
import { columnNames, hasSameKeyColumns, type TargetTable } from '../../sql-target/table-layout.ts'
import { writeRejectsSingly } from '../../sql-target/system-rows.ts'
import { quote } from '../quoting.ts'
import { facts } from '../target-facts.ts'
import { MysqlLoader } from './bulk-load.ts'
import { connectionChecks } from './check.ts'
import { compareKeys, missingKeysSql, readMissingKeys } from './key-comparison.ts'
import { createStage, deleteByKeys, deleteMissingChildren, merge, temporary } from './merge.ts'
import { canBePlain } from './plain-encoding.ts'
import { renameTables } from './rename-tables.ts'
import { type MysqlSession, openSession } from './session.ts'
import type { MysqlTargetSettings } from './settings.ts'
import { discardRefresh, dropShadowTables, finishSwaps, openShadowTables, shadowName } from './shadow-table.ts'
import { commitFenced, statements } from './statements.ts'
import { claimStream, createSystemTables, takeFence, whileNaming } from './system-tables.ts'
import {
  allowedName,
  alterTable,
  createTable,
  fitColumn,
  fitColumns,
  isNameTaken,
  prefixedName,
  readColumns,
  relationExists,
  sameName,
} from './tables.ts'

export type MysqlDialect = SqlDialect<MysqlSession>

export function mysqlDialect(settings: MysqlTargetSettings): MysqlDialect {
  const { prefix } = settings
  const prefixed = (name: string): string => prefixedName(prefix, name)
  return {
    ...transactionSql,
    ...tableSql,
    ...loadSql,
    openSessions: (around) => targetSessions(() => openSession(settings, around)),
    checks: () => connectionChecks(settings.database),
    unknownValues: settings.unknownValues ?? 'reject',
    tableName: (sourceName) => fitName(prefixed(sourceName), facts.identifierMax),
    nameMark: (stream, sourceName) => `${prefixed(sourceName)}\t${stream}`,
    viewName: (name) => (prefix === '' ? name : `${prefix}_${name}`),
  }
}

const transactionSql = {
  ...statements,
  facts,
  // Sessions run without autocommit.
  begin: null,
  commit: 'COMMIT',
  lockStream: async () => {},
  writeRejects: writeRejectsSingly('UTC_TIMESTAMP(3)', statements.systemTables.rejects),
  async startRun(session, writer, around) {
    await createSystemTables(session)
    await takeFence(session, writer)
    return await finishSwaps(session, writer, around)
  },
  claimStream,
} satisfies Partial<MysqlDialect>

const tableSql = {
  schema: '',
  qualified: quote,
  nameHolderSql: 'SELECT connector FROM tributary_table WHERE LOWER(name) = LOWER(?)',
  nameTakenNotice: (name) =>
    `Another connector already fills the table ‘${name}’. Choose another target schema for this connector: it is put before the names of its tables.`,
  foreignTableNotice: (name) =>
    `The database already has a table ‘${name}’ that Tributary did not make. Choose another target schema, or rename that table.`,
  relationExists,
  foldName: (name) => name.toLowerCase(),
  columnNames: (table) => columnNames(table, facts.identifierMax, { allowed: allowedName, same: sameName }),
  fitColumns,
  readColumns: ({ connection }, name) => readColumns(connection, name),
  fit: fitColumn,
  hasSameKey: hasSameKeyColumns,
  changeTables: (_session, _writer, work) => work(),
  whileNaming,
  // DDL commits and cannot be undone, so it comes after the claim is committed: the next run finds a change that was cut off.
  beforeDdl: commitFenced,
  createTable: async (session, target) =>
    void (await session.run(createTable(target.name, target, await session.tableOptions()))),
  alterTable,
  tableExistsSql:
    'EXISTS (SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND BINARY table_name = BINARY name)',
  isNameTaken,
  renameTables,
} satisfies Partial<MysqlDialect>

const loadSql = {
  countsRows: true,
  countRows: 'COUNT(*)',
  listsDeletedKeysAlways: true,
  hashesValues: true,
  encodingFor: (stream, tables) => (stream.offersPlain === true && canBePlain(tables) ? 'plain' : 'text'),
  temporary,
  createStage,
  bulkLoader: (session, options) => MysqlLoader.open(session, options),
  async clearStages({ run }, stages, when) {
    // Closing the connection drops them. TRUNCATE ends a transaction.
    if (when === 'committed') for (const stage of stages) await run(`TRUNCATE TABLE ${stage}`)
  },
  merge,
  deleteMissingChildren,
  deleteListed: (session, { target, into }, keys) =>
    session.run(deleteByKeys(target, { into: into ?? '', keys, which: 'listed' })),
  shadowName: (table, { connectorId }) => shadowName(connectorId, table),
  discardRefresh,
  dropShadowTables,
  openShadowTables,
  compareKeys,
  missingKeysSql,
  readMissingKeys,
  async deleteUnlisted({ run }, target: TargetTable, _main, keys) {
    await run(deleteByKeys(target, { into: quote(target.name), keys, which: 'unlisted' }))
  },
  month: (date) => `DATE_SUB(${date}, INTERVAL DAYOFMONTH(${date}) - 1 DAY)`,
  async replaceView({ run }, name, select) {
    await run(`CREATE OR REPLACE VIEW ${quote(name)} AS ${select}`)
  },
  select: ({ rows }, select) => rows(select),
} satisfies Partial<MysqlDialect>

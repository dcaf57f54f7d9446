/** The dialect of a SQL target that MySQL and MariaDB speak. */
import { fitName } from '../../sql-target/names.ts'
import { targetSessions } from '../../sql-target/sessions.ts'
import { writeRejectsSingly } from '../../sql-target/system-rows.ts'
import { quote } from '../quoting.ts'
import { facts } from '../target-facts.ts'
import { MysqlLoader } from './bulk-load.ts'
import { connectionChecks } from './check.ts'
import { commentSql } from './comments.ts'
import { historySql } from './history.ts'
import { keyComparisonSql } from './key-comparison.ts'
import { mergeSql, temporary } from './merge.ts'
import { canBePlain } from './plain-encoding.ts'
import { publicationSql } from './publication.ts'
import { renameTables } from './rename-tables.ts'
import { type MysqlDialect, openSession } from './session.ts'
import type { MysqlTargetSettings } from './settings.ts'
import { finishSwaps, shadowSql } from './shadow-table.ts'
import { commitFenced, statements } from './statements.ts'
import { claimStream, createSystemTables, takeFence, whileNaming } from './system-tables.ts'
import { tableSql } from './tables.ts'
import { verificationSql } from './verification.ts'

export function mysqlDialect(settings: MysqlTargetSettings): MysqlDialect {
  const { prefix } = settings
  return {
    ...transactionSql,
    ...tableSql(prefix),
    ...mergeSql,
    ...loadSql,
    ...shadowSql,
    ...keyComparisonSql,
    ...commentSql,
    ...verificationSql,
    ...historySql,
    ...publicationSql,
    openSessions: (around) => targetSessions(() => openSession(settings, around)),
    checks: () => connectionChecks(settings.database),
    unknownValues: settings.unknownValues ?? 'reject',
    viewName: (name) => fitName(prefix === '' ? name : `${prefix}_${name}`, facts.identifierMax),
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
  whileNaming,
  // DDL commits and cannot be undone, so it comes after the claim is committed: the next run finds a change that was cut off.
  beforeDdl: commitFenced,
  renameTables,
} satisfies Partial<MysqlDialect>

const loadSql = {
  countsRows: true,
  countRows: 'COUNT(*)',
  listsDeletedKeysAlways: true,
  hashesValues: true,
  encodingFor: (stream, tables) => (stream.offersPlain === true && canBePlain(tables) ? 'plain' : 'text'),
  temporary,
  bulkLoader: (session, options) => MysqlLoader.open(session, options),
  async clearStages({ run }, stages, when) {
    // Closing the connection drops them. TRUNCATE ends a transaction.
    if (when === 'committed') for (const stage of stages) await run(`TRUNCATE TABLE ${stage}`)
  },
  dates: {
    month: (date) => `DATE_SUB(${date}, INTERVAL DAYOFMONTH(${date}) - 1 DAY)`,
    monthEnd: (date) => `LAST_DAY(${date})`,
    year: (date) => `YEAR(${date})`,
    monthOfYear: (date) => `MONTH(${date})`,
    daysBetween: (from, to) => `DATEDIFF(${to}, ${from})`,
    addDays: (date, days) => `DATE_ADD(${date}, INTERVAL ${days} DAY)`,
    today: (minutes) => `CAST(DATE_ADD(UTC_TIMESTAMP(), INTERVAL (${minutes}) MINUTE) AS date)`,
  },
  async replaceView({ run }, name, select) {
    await run(`CREATE OR REPLACE VIEW ${quote(name)} AS ${select}`)
  },
  async dropView({ run }, name) {
    await run(`DROP VIEW IF EXISTS ${quote(name)}`)
  },
  select: ({ rows }, select) => rows(select),
} satisfies Partial<MysqlDialect>

/** MySQL and MariaDB as a source: every table of one database, incremental where a column shows changes. */
import { connectMysql, type MysqlConnection } from '../connection.ts'
import { errorNumber } from '../faults.ts'
import { quote } from '../quoting.ts'
import { type MysqlReach, parseReach, reachFields } from '../settings.ts'
import { databaseOrigin } from '../../../ports/origin.ts'
import { type SourceDialect, DiscoveredTables } from '../../sql-source/discovered-tables.ts'
import type { OpenSource, Source, ConnectionContext } from '../../../ports/source.ts'
import { tableSelectionFields, parseTableSelection, type SourceTableSelection } from '../../../ports/table-selection.ts'
import type { MysqlTablePlan } from './discover.ts'
import { discoverByValues } from './flag-columns.ts'
import { checkpointAt, readByKey, readKeys, readTable } from './read.ts'
import { openVerifiedSource } from './verified-source.ts'

export interface MysqlSourceSettings extends MysqlReach, SourceTableSelection {}

const property = 'source.connectionString'

export const mysqlSource: Source<MysqlSourceSettings> = {
  type: 'mysql',
  title: 'MySQL / MariaDB',
  needs: 'Host, database and a user that may SELECT. With the PROCESS right changes are found to the second.',
  description:
    'Tables and views of a MySQL or MariaDB database, kept up to date by their own change columns or read whole.',
  guide: [
    "Ask the database’s owner for a user that may read: CREATE USER tributary IDENTIFIED BY '…'; GRANT SELECT ON shop.* TO tributary.",
    'Host and port are those that your other programs use; the port is 3306 unless it was changed.',
    'Move every table that the user may read, or only those that you choose.',
  ],
  sections: [{ property, shape: 'object', title: 'Source', fields: [...reachFields, ...tableSelectionFields] }],
  parse(properties) {
    const value = properties[property]
    return { ...parseReach(value, property), ...parseTableSelection(value) }
  },
  open: async (settings, around) => openMysql(settings, around),
}

/** Dates are in UTC, a slow reader causes no timeout, and an odd value in a row is no error. */
const session = `SET SESSION time_zone = '+00:00', net_write_timeout = 3600, sql_mode = ''`

/** MySQL 8 caches facts about tables for a day, creation times included; MariaDB has neither the cache nor the variable. */
async function connectFresh(settings: MysqlSourceSettings, around: ConnectionContext): Promise<MysqlConnection> {
  const connection = await connectMysql(settings, around, session)
  if (!connection.isMariadb)
    await connection.run(`SET SESSION sql_mode = '' /*!80000 , information_schema_stats_expiry = 0 */`)
  return connection
}

function openMysql(settings: MysqlSourceSettings, around: ConnectionContext): OpenSource {
  const database: SourceDialect<MysqlConnection, MysqlTablePlan> = {
    code: 'mysql',
    origin: databaseOrigin(settings),
    connect: () => connectFresh(settings, around),
    discover: discoverByValues,
    read: readTable,
    keys: readKeys,
    readByKey,
    checkpointAt: (plan, _connection, moment) => checkpointAt(plan, moment),
    grantReading: (connection, tables) => connection.grantReading(tables),
    isDenied,
    openVerified: (plan, since) => openVerifiedSource(plan, () => connectFresh(settings, around), since),
  }
  return new DiscoveredTables(database, settings)
}

/** MySQL hides tables that a user may not read. The error shows whether a table is hidden or dropped. */
async function isDenied(connection: MysqlConnection, table: string): Promise<boolean> {
  try {
    await connection.rows(`SELECT 1 FROM ${quote(table)} LIMIT 0`)
    return false
  } catch (error) {
    return errorNumber(error) === tableAccessDenied
  }
}

const tableAccessDenied = 1142

/** SQL Server as a source: every table and view of one database, incremental where the database tracks changes. */
import { databaseOrigin } from '../../../ports/origin.ts'
import { type SourceDialect, DiscoveredTables } from '../../sql-source/discovered-tables.ts'
import type { OpenSource, Source, ConnectionContext } from '../../../ports/source.ts'
import { connectSqlServer, type SqlConnection } from '../connection.ts'
import { errorNumber } from '../faults.ts'
import { quoteTable } from '../quoting.ts'
import { grantReading } from '../rights.ts'
import { parseReach, reachFields, type SqlServerReach } from '../settings.ts'
import { tableSelectionFields, parseTableSelection, type SourceTableSelection } from '../../../ports/table-selection.ts'
import { discoverTables, type SqlServerTablePlan } from './discover.ts'
import { checkpointAt } from './change-position.ts'
import { readByKey, readKeys, readTable } from './read.ts'
import { openVerifiedSource } from './verified-source.ts'

export interface SqlServerSourceSettings extends SqlServerReach, SourceTableSelection {}

const property = 'source.connectionString'

export const sqlServerSource: Source<SqlServerSourceSettings> = {
  type: 'sqlserver',
  title: 'SQL Server',
  needs:
    'Host, database and a login that may SELECT. Where change tracking is on, grant VIEW CHANGE TRACKING too: then deleted rows are seen.',
  description:
    'Tables and views of a SQL Server database, kept up to date by change tracking or row version, or read whole.',
  guide: [
    "Ask the database’s owner for a login that may read: CREATE LOGIN tributary WITH PASSWORD = '…'; CREATE USER tributary FOR LOGIN tributary; ALTER ROLE db_datareader ADD MEMBER tributary.",
    'The host is written alone or with a port: sql01, or sql01,1433. A named instance is reached by its port, which its owner knows.',
    'Move every table that the user may read, or only those that you choose.',
  ],
  sections: [{ property, shape: 'object', title: 'Source', fields: [...reachFields, ...tableSelectionFields] }],
  parse(properties) {
    const value = properties[property]
    return { ...parseReach(value, property), ...parseTableSelection(value) }
  },
  open: async (settings, around) => openSqlServer(settings, around),
}

function openSqlServer(settings: SqlServerSourceSettings, around: ConnectionContext): OpenSource {
  const database: SourceDialect<SqlConnection, SqlServerTablePlan> = {
    code: 'sqlserver',
    origin: databaseOrigin(settings),
    connect: () => connectSqlServer(settings, around),
    discover: discoverTables,
    read: readTable,
    keys: readKeys,
    readByKey,
    checkpointAt,
    grantReading: (_connection, tables) => grantReading(settings.user, tables),
    isDenied,
    openVerified: (plan, since) => openVerifiedSource(plan, () => connectSqlServer(settings, around), since),
  }
  return new DiscoveredTables(database, settings)
}

/** SQL Server hides tables that a user may not read. The error shows whether a table is hidden or dropped. */
async function isDenied(connection: SqlConnection, table: string): Promise<boolean> {
  try {
    await connection.run(`SELECT TOP (0) * FROM ${quoteTable(table)}`)
    return false
  } catch (error) {
    return selectDenied.includes(errorNumber(error) ?? 0)
  }
}

/** On the table, or on one of its columns. */
const selectDenied: readonly number[] = [229, 230]

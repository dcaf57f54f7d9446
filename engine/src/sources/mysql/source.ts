/** MySQL and MariaDB as a source: every table of one database, incremental where a column tells of changes. */
import { connectMysql, type MysqlConnection } from '../../mysql/connection.ts'
import { type MysqlReach, parseReach, reachFields } from '../../mysql/settings.ts'
import { connectionSteps, runChecks } from '../../checks.ts'
import { Fault } from '../../faults.ts'
import type { Batch } from '../../model.ts'
import type { CheckResult } from '../../settings.ts'
import type { OpenSource, ReadRequest, Source, Stream, Surroundings } from '../../source.ts'
import { tableList, tablesField } from '../../table-choice.ts'
import { discoverTables, type TablePlan } from './discover.ts'
import { readKeys, readTable } from './read.ts'

export interface MysqlSourceSettings extends MysqlReach {
  /** Empty: every table. */
  readonly tables: readonly string[]
}

const property = 'source.connectionString'

export const mysqlSource: Source<MysqlSourceSettings> = {
  type: 'mysql',
  title: 'MySQL / MariaDB',
  needs: 'Host, database and a user that may SELECT. With the PROCESS right changes are found to the second.',
  sections: [{ property, shape: 'object', title: 'Source', fields: [...reachFields, tablesField] }],
  parse(properties) {
    const value = properties[property]
    return { ...parseReach(value, property), tables: tableList(value) }
  },
  open: async (settings, around) => openSource(settings, around),
}

/** Dates keep the zone UTC, a slow reader is waited for, and an odd value in a row is shown and not refused. */
const session = `SET SESSION time_zone = '+00:00', net_write_timeout = 3600, sql_mode = ''`

function openSource(settings: MysqlSourceSettings, around: Surroundings): OpenSource {
  const connect = () => connectMysql(settings, around, session)
  let plans: Promise<ReadonlyMap<string, TablePlan>> | undefined

  async function discover(): Promise<ReadonlyMap<string, TablePlan>> {
    await using connection = await connect()
    const found = await discoverTables(connection, settings.tables)
    return new Map(found.map((plan) => [plan.stream.name, plan]))
  }

  async function planOf(stream: Stream): Promise<TablePlan> {
    plans ??= discover()
    const plan = (await plans).get(stream.name)
    if (plan !== undefined) return plan
    throw new Fault('passing', {
      code: 'mysql.changed_meanwhile',
      notice: `The table ${stream.name} is gone from the source. It is left out of the next run.`,
    })
  }

  async function* reading(
    stream: Stream,
    rows: (plan: TablePlan, connection: MysqlConnection) => AsyncIterable<Batch>,
  ): AsyncGenerator<Batch> {
    const plan = await planOf(stream)
    await using connection = await connect()
    yield* rows(plan, connection)
  }

  return {
    check: () => checkSource(connect, settings),
    async streams() {
      plans = discover()
      return [...(await plans).values()].map((plan) => plan.stream)
    },
    read: (stream: Stream, request: ReadRequest) => reading(stream, (plan, connection) => readTable(plan, connection, request)),
    keys: (stream) => reading(stream, readKeys),
    async [Symbol.asyncDispose]() {},
  }
}

function checkSource(connect: () => Promise<MysqlConnection>, settings: MysqlSourceSettings): Promise<readonly CheckResult[]> {
  return runChecks([
    ...connectionSteps(connect, 'mysql.'),
    {
      name: 'Tables can be read',
      run: async () => {
        await using connection = await connect()
        requireTables(await discoverTables(connection, settings.tables), settings.tables)
      },
    },
  ])
}

function requireTables(found: readonly TablePlan[], wanted: readonly string[]): void {
  const missing = wanted.filter((name) => !found.some((plan) => plan.stream.name === name))
  if (missing.length === 0 && found.length > 0) return
  const notice =
    missing.length > 0
      ? `The user cannot see the table ${missing[0]}. Check its spelling, or grant SELECT on it.`
      : 'The user cannot see any table in this database. Grant SELECT on those to be moved.'
  throw new Fault('settings', { code: 'mysql.tables_missing', notice })
}

/** SQL Server as a source: every table and view of one database, incremental where the database can tell what has changed. */
import { connectionSteps, runChecks } from '../../checks.ts'
import { Fault } from '../../faults.ts'
import type { Batch } from '../../model.ts'
import type { CheckResult } from '../../settings.ts'
import type { OpenSource, Source, Stream, Surroundings } from '../../source.ts'
import { connectSqlServer, type SqlConnection } from '../../sqlserver/connection.ts'
import { parseReach, reachFields, type SqlServerReach } from '../../sqlserver/settings.ts'
import { tableList, tablesField } from '../../table-choice.ts'
import { discoverTables, type TablePlan } from './discover.ts'
import { readKeys, readTable } from './read.ts'

export interface SqlServerSourceSettings extends SqlServerReach {
  /** `schema.table` or a table's name alone; empty: every table. */
  readonly tables: readonly string[]
}

const property = 'source.connectionString'

export const sqlServerSource: Source<SqlServerSourceSettings> = {
  type: 'sqlserver',
  title: 'SQL Server',
  needs:
    'Host, database and a login that may SELECT. Where change tracking is on, grant VIEW CHANGE TRACKING too: then deleted rows are seen.',
  sections: [{ property, shape: 'object', title: 'Source', fields: [...reachFields, tablesField] }],
  parse(properties) {
    const value = properties[property]
    return { ...parseReach(value, property), tables: tableList(value) }
  },
  open: async (settings, around) => openSource(settings, around),
}

function openSource(settings: SqlServerSourceSettings, around: Surroundings): OpenSource {
  const connect = (): Promise<SqlConnection> => connectSqlServer(settings, around)
  let plans: Promise<ReadonlyMap<string, TablePlan>> | undefined

  async function discover(): Promise<ReadonlyMap<string, TablePlan>> {
    await using connection = await connect()
    const found = await discoverTables(connection, settings.tables)
    return new Map(found.map((plan) => [plan.stream.name, plan]))
  }

  async function* reading(
    stream: Stream,
    rows: (plan: TablePlan, connection: SqlConnection) => AsyncIterable<Batch>,
  ): AsyncGenerator<Batch> {
    plans ??= discover()
    const plan = (await plans).get(stream.name)
    if (plan === undefined)
      throw new Fault('passing', {
        code: 'sqlserver.changed',
        notice: `The table ${stream.name} is gone from the source. It is left out of the next run.`,
      })
    await using connection = await connect()
    yield* rows(plan, connection)
  }

  return {
    check: () => checkSource(connect, settings),
    async streams() {
      plans = discover()
      return [...(await plans).values()].map((plan) => plan.stream)
    },
    read: (stream, request) => reading(stream, (plan, connection) => readTable(plan, connection, request)),
    keys: (stream) => reading(stream, readKeys),
    async [Symbol.asyncDispose]() {},
  }
}

function checkSource(connect: () => Promise<SqlConnection>, settings: SqlServerSourceSettings): Promise<readonly CheckResult[]> {
  return runChecks([
    ...connectionSteps(connect, 'sqlserver.'),
    {
      name: 'Tables can be read',
      run: async () => {
        await using connection = await connect()
        const found = await discoverTables(connection, settings.tables)
        if (found.length < Math.max(1, settings.tables.length))
          throw new Fault('settings', {
            code: 'sqlserver.tables_missing',
            notice: 'The login cannot see every table that is wanted. Check their spelling, or grant SELECT on them.',
          })
      },
    },
  ])
}

/** Loads sheets over HTTP into a new planning structure, and reads the resulting tables. */
import { assignments } from '@tributary/contract/assignments'
import type { CallReply } from '@tributary/contract/calls'
import type { FaultReply } from '@tributary/contract/faults'
import { groups } from '@tributary/contract/groups'
import { type Load, type LoadCheck, loads } from '@tributary/contract/loads'
import type { SheetCell } from '@tributary/contract/cells'
import { connectMysql } from '@tributary/engine/databases/mysql/connection'
import pg from 'pg'
import { inject } from 'vitest'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import type { TestClient } from '../app/client.ts'
import { structureCalls } from './create-structure.ts'
import { sourceDatabase } from '../connectors/source-database.ts'
import type { TestApp } from '../app/test-app.ts'

export interface PlanFixture {
  readonly versionId: string
  readonly juneId: string
  readonly ratesId: string
  readonly groupId: string
}

/**
 * Creates the area Kitchen with the subareas Bar and Cellar, of which Bar is granted; the version Budget 2026 with June
 * and July; the entity One; the helper table Rates.
 */
export async function planForLoads(
  app: TestApp,
  people: readonly string[] = [app.idOf('user'), app.idOf('admin')],
): Promise<PlanFixture> {
  const make = structureCalls(app)
  const { admin } = app.as
  const [kitchen, bar, cellar] = [await make.area('Kitchen'), await make.subarea('Bar'), await make.subarea('Cellar')]
  await make.area('Hidden')
  const versionId = await make.version('Budget 2026')
  const [juneId, julyId] = [await make.milestone('June', versionId), await make.milestone('July', versionId)]
  const [ratesId, one, groupId] = [
    await make.helperTable('Rates'),
    await make.entity('One'),
    await make.group('Planners'),
  ]
  await admin.call(assignments.setSubareasOfArea, { params: { areaId: kitchen }, body: { ids: [bar, cellar] } })
  await admin.call(groups.grantPair, { body: { groupId, areaId: kitchen, subAreaId: bar } })
  for (const milestoneId of [juneId, julyId])
    await admin.call(groups.grantMilestone, { body: { groupId, versionId, milestoneId } })
  for (const userId of people) {
    await admin.call(assignments.setGroupsOfUser, { params: { userId }, body: { ids: [groupId] } })
    await admin.call(assignments.setHelperTablesOfUser, { params: { userId }, body: { ids: [ratesId] } })
  }
  await admin.call(assignments.setUsersOfEntity, { params: { entityId: one }, body: { ids: people } })
  return { versionId, juneId, ratesId, groupId }
}

export interface TestSheet {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SheetCell[])[]
}

/** The slice of every row that does not name another one. */
export const defaultSlice = { entity: 'One', area: 'Kitchen', subarea: 'Bar', milestone: 'June' }

type LoadTarget = { readonly versionId: string } | { readonly helperTableId: string }

export class LoadClient {
  readonly client: TestClient

  constructor(client: TestClient) {
    this.client = client
  }

  /** Begins a load and sends its rows in chunks of a thousand. Returns the id of the load. */
  async begin(
    target: LoadTarget,
    sheet: TestSheet,
    defaults: object = 'versionId' in target ? defaultSlice : {},
  ): Promise<string> {
    const body = {
      ...target,
      ...defaults,
      source: 'portal',
      workbook: 'plan.xlsx',
      sheet: 'Plan',
      columns: sheet.columns,
    }
    const begun = await this.client.call(loads.begin, { body })
    if (begun.status !== 201) throw new Error(`begin answered ${begun.status}: ${JSON.stringify(begun.body)}`)
    for (let at = 0; at < sheet.rows.length; at += 1_000) {
      const params = { loadId: begun.body.Id, number: String(at / 1_000 + 1) }
      const sent = await this.client.call(loads.chunk, { params, body: { rows: sheet.rows.slice(at, at + 1_000) } })
      if (sent.status !== 200) throw new Error(`a chunk answered ${sent.status}: ${JSON.stringify(sent.body)}`)
    }
    return begun.body.Id
  }

  async check(loadId: string): Promise<LoadCheck> {
    const { status, body } = await this.client.call(loads.check, { params: { loadId } })
    if (status !== 200) throw new Error(`check answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  commit(loadId: string, seen: string) {
    return this.client.send<Load & FaultReply>('POST', `/api/loads/${loadId}/commit`, { body: { seen } })
  }

  undo(loadId: string, source: Load['Source'] = 'portal') {
    return this.client.send<Load & FaultReply>('POST', `/api/loads/${loadId}/undo`, { body: { source } })
  }

  async read(loadId: string): Promise<Load> {
    return (await this.client.call(loads.read, { params: { loadId } })).body
  }

  /** Begins, checks and commits a load. Returns the receipt. */
  async load(target: LoadTarget, sheet: TestSheet, defaults?: object): Promise<Load> {
    const loadId = await this.begin(target, sheet, defaults)
    const { Seen, Errors } = await this.check(loadId)
    const { status, body } = await this.commit(loadId, Seen)
    if (status !== 200) throw new Error(`commit answered ${status}: ${JSON.stringify([body, Errors.slice(0, 3)])}`)
    return body
  }
}

/** Uploads a file as the user of Harbour Trading and returns the reply. */
export async function uploadFile(app: TestApp, name: string, payload: Buffer): Promise<CallReply<'POST /loads/files'>> {
  const session = await app.as.user.session()
  const headers = {
    host: 'localhost:3000',
    'content-type': 'application/octet-stream',
    authorization: `Bearer ${session?.accessToken}`,
  }
  const reply = await app.http.inject({ method: 'POST', url: '/api/loads/files', query: { name }, headers, payload })
  if (reply.statusCode !== 201) throw new Error(`a file answered ${reply.statusCode}: ${reply.body}`)
  return reply.json()
}

export interface LoadDatabase {
  readonly name: string
  /** Saves it as the organisation's own database. */
  open(app: TestApp): Promise<OpenLoadDatabase>
}

export interface OpenLoadDatabase {
  /** Returns every value as text. */
  rowsOf(table: string, columns: readonly string[]): Promise<readonly (readonly (string | null)[])[]>
  /** Runs a statement like a user of the organisation; `table` quotes a table name. */
  run(statement: (table: (name: string) => string) => string): Promise<void>
  /** Locks the rows of the table until it is disposed. */
  hold(table: string): Promise<AsyncDisposable>
}

const types = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig // The driver's types know the overloads for bytes, too.

export async function saveDatabase(app: TestApp, body: object): Promise<void> {
  const path = `/api/organisations/${app.harbour.id}/database-credentials`
  const { status, body: reply } = await app.as.admin.send('POST', path, { body })
  if (status !== 200) throw new Error(JSON.stringify(reply))
}

export async function selectRows(connection: pg.ClientConfig, text: string): Promise<(string | null)[][]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array', types })
  await client.end()
  return rows
}

export const loadDatabases: readonly LoadDatabase[] = [
  {
    name: 'PostgreSQL',
    async open(app) {
      const { connection, settings } = await sourceDatabase('SELECT 1')
      const { host, port, user, password, database } = settings as Record<string, string>
      const address = { host: `${host}:${port}`, database, schema: 'plan', user, password }
      await saveDatabase(app, { connector: 'postgres', ...address, encryption: 'off' })
      return inPostgres(() => Promise.resolve(connection), 'plan')
    },
  },
  {
    name: 'MariaDB',
    async open(app) {
      const { host, port, user, password } = inject('mariadb')
      const database = `plan_${Math.random().toString(36).slice(2)}`
      const around = { network: app.services.network, clock: systemClock, signal: new AbortController().signal }
      const reach = { host, port, user, password, database: 'mysql', tls: 'off' } as const
      const connect = () => connectMysql(reach, around, 'SELECT 1')
      const table = (name: string) => `${database}.\`${name}\``
      const run = async (statement: string) => {
        await using connection = await connect()
        await connection.run(statement)
      }
      await run(`CREATE DATABASE ${database}`)
      await saveDatabase(app, {
        connector: 'mysql',
        host: `${host},${port}`,
        database,
        schema: '',
        user,
        password,
        encryption: 'off',
      })
      return {
        async rowsOf(name, columns) {
          await using connection = await connect()
          const wanted = columns.map((each, at) => `\`${each}\` AS v${at}`).join(', ')
          return (await connection.rows(`SELECT ${wanted} FROM ${table(name)}`)).map((row) => Object.values(row))
        },
        run: (statement) => run(statement(table)),
        async hold(name) {
          const connection = await connect()
          await connection.run('START TRANSACTION')
          await connection.rows(`SELECT * FROM ${table(name)} FOR UPDATE`)
          return connection
        },
      }
    },
  },
  {
    name: 'the product’s own warehouse',
    open(app) {
      const find = async () => {
        const { databaseName: database } = await app.store.within(app.harbour.id, (db) =>
          db
            .selectFrom('warehouse')
            .select('databaseName')
            .where('organisationId', '=', app.harbour.id)
            .executeTakeFirstOrThrow(),
        )
        return { ...inject('postgres'), database }
      }
      return Promise.resolve(inPostgres(find, 'excel'))
    },
  },
]

/** @param find returns the database, which may not exist yet */
function inPostgres(find: () => Promise<pg.ClientConfig>, schema: string): OpenLoadDatabase {
  const table = (name: string) => `${schema}."${name}"`
  return {
    rowsOf: async (name, columns) =>
      selectRows(await find(), `SELECT ${columns.map((each) => `"${each}"`).join(', ')} FROM ${table(name)}`),
    async run(statement) {
      await selectRows(await find(), statement(table))
    },
    async hold(name) {
      const client = new pg.Client(await find())
      await client.connect()
      await client.query('BEGIN')
      await client.query(`SELECT FROM ${table(name)} FOR UPDATE`)
      return { [Symbol.asyncDispose]: () => client.end() }
    },
  }
}

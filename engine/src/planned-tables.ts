/** What sources share that look into a database for its tables when they are opened, and read each over a connection of its own. */
import { type CheckStep, connectionSteps, runChecks } from './checks.ts'
import { ColumnChoice } from './column-choice.ts'
import { Fault } from './faults.ts'
import type { Batch, Checkpoint } from './model.ts'
import type { OpenSource, ReadRequest, Stream } from './source.ts'
import type { TableChoice } from './table-choice.ts'

/** What one kind of database does in its own way. `Plan`: what it knows of one of its tables. */
export interface Database<Connection extends AsyncDisposable, Plan extends { readonly stream: Stream }> {
  /** Begins the codes of its faults: `mysql`. */
  readonly code: string
  readonly origin: string
  connect(): Promise<Connection>
  discover(connection: Connection, wanted: readonly string[], choice: ColumnChoice): Promise<readonly Plan[]>
  read(plan: Plan, connection: Connection, request: ReadRequest): AsyncIterable<Batch>
  keys(plan: Plan, connection: Connection): AsyncIterable<Batch>
  checkpointAt(plan: Plan, connection: Connection, moment: Date): Checkpoint | null | Promise<Checkpoint | null>
  /** The statement that lets the user read these tables, or all there are where none is named. */
  grantReading(connection: Connection, tables: readonly string[]): string
}

export function openPlannedTables<Connection extends AsyncDisposable, Plan extends { readonly stream: Stream }>(
  database: Database<Connection, Plan>,
  { tables, leftOut }: TableChoice,
): OpenSource {
  const choice = new ColumnChoice(leftOut)
  let plans: Promise<ReadonlyMap<string, Plan>> | undefined

  async function discover(): Promise<ReadonlyMap<string, Plan>> {
    await using connection = await database.connect()
    const found = await database.discover(connection, tables, choice)
    return new Map(found.map((plan) => [plan.stream.name, plan]))
  }

  async function planOf({ name }: Stream): Promise<Plan> {
    plans ??= discover()
    const plan = (await plans).get(name)
    if (plan !== undefined) return plan
    throw new Fault('passing', {
      code: `${database.code}.changed_meanwhile`,
      notice: `The table ${name} is gone from the source. It is left out of the next run.`,
    })
  }

  async function* reading(stream: Stream, rows: (plan: Plan, connection: Connection) => AsyncIterable<Batch>): AsyncGenerator<Batch> {
    const plan = await planOf(stream)
    await using connection = await database.connect()
    yield* rows(plan, connection)
  }

  const canBeRead: CheckStep = {
    name: 'Tables can be read',
    run: async () => {
      await using connection = await database.connect()
      const found = await database.discover(connection, tables, new ColumnChoice(leftOut))
      const missing = tables.filter((wanted) => !found.some(({ stream: { name } }) => name === wanted || name.endsWith(`.${wanted}`)))
      if (missing.length === 0 && found.length > 0) return
      const notice =
        missing.length > 0
          ? `The user cannot see the table ${missing[0]}. Check its spelling, or grant SELECT on it.`
          : 'The user cannot see any table in this database. Grant SELECT on those to be moved.'
      const remedy = database.grantReading(connection, missing)
      throw new Fault('settings', { code: `${database.code}.tables_missing`, notice, remedy })
    },
  }

  return {
    origin: database.origin,
    check: () => runChecks([...connectionSteps(() => database.connect(), `${database.code}.`), canBeRead]),
    async streams() {
      plans = discover()
      return [...(await plans).values()].map(({ stream }) => stream)
    },
    read(stream, request) {
      choice.tellUnknown(request.tell)
      return reading(stream, (plan, connection) => database.read(plan, connection, request))
    },
    async checkpointAt(stream, moment) {
      const plan = await planOf(stream)
      await using connection = await database.connect()
      return await database.checkpointAt(plan, connection, moment)
    },
    keys: (stream) => reading(stream, (plan, connection) => database.keys(plan, connection)),
    async [Symbol.asyncDispose]() {},
  }
}

/** Names of tables in databases with schemas, and the checks of a schema. */
import type { SqlDialect } from './dialect.ts'
import type { ConnectionCheck, TargetSession } from './sessions.ts'
import { fitName, type NameMax } from './names.ts'
import { systemTablesIn } from './state-store.ts'

type SchemaNames = Pick<
  SqlDialect,
  | 'schema'
  | 'qualified'
  | 'systemTables'
  | 'tableName'
  | 'nameMark'
  | 'nameTakenNotice'
  | 'foreignTableNotice'
  | 'viewName'
>

/** @param qualified quotes a name, with its schema */
export function schemaNames(schema: string, max: NameMax, qualified: (name: string) => string): SchemaNames {
  return {
    schema,
    qualified,
    systemTables: systemTablesIn(qualified),
    tableName: (sourceName) => fitName(sourceName, max),
    nameMark: (stream, sourceName) => `${stream}\t${sourceName}`,
    nameTakenNotice: (name) =>
      `Another connector already fills the table ‘${name}’ in the schema ‘${schema}’. Choose another target schema for this connector.`,
    foreignTableNotice: (name) =>
      `The schema ‘${schema}’ already has a table ‘${name}’ that Tributary did not make. Choose another target schema, or rename that table.`,
    viewName: (name) => fitName(name, max),
  }
}

export interface SchemaTrials<Session> {
  readonly begin: string
  readonly rollback: string
  createSchema(session: Session, schema: string): Promise<void>
  /** Creates a table in the schema, writes to it, reads and drops it. */
  tryTable(session: Session, schema: string): Promise<void>
}

/** ‘Test connection’ tries what a load needs, and rolls it back. */
export function schemaChecks<Session extends TargetSession>(
  schema: string,
  trials: SchemaTrials<Session>,
): readonly ConnectionCheck<Session>[] {
  const trying =
    (isTableTried: boolean): ConnectionCheck<Session>['run'] =>
    async (session) => {
      await session.run(trials.begin)
      await trials.createSchema(session, schema)
      if (isTableTried) await trials.tryTable(session, schema)
      await session.run(trials.rollback)
    }
  return [
    { name: `The schema ‘${schema}’ is there or can be made`, run: trying(false) },
    { name: `Tables can be made in the schema ‘${schema}’`, run: trying(true) },
  ]
}

/** The tables that Tributary keeps for itself in a SQL Server target, and the fencing token. */
import { assertNewerFence, type Writer } from '../../../ports/target.ts'
import type { SystemTables } from '../../sql-target/dialect.ts'
import { literal } from '../quoting.ts'
import { createSchema } from './check.ts'
import type { SqlServerSession } from './session.ts'

const keyText = (length: number): string => `nvarchar(${length}) COLLATE Latin1_General_100_BIN2 NOT NULL`

export async function createSystemTables(
  session: SqlServerSession,
  schema: string,
  systemTables: SystemTables,
): Promise<void> {
  const { run } = session
  await createSchema(session, schema)
  const tables = [
    [
      systemTables.writer,
      `connector ${keyText(100)} PRIMARY KEY, fence bigint NOT NULL, run_id nvarchar(100) NOT NULL, began_at datetime2(3) NOT NULL`,
    ],
    [
      systemTables.state,
      `connector ${keyText(100)}, stream ${keyText(300)}, fence bigint NOT NULL, checkpoint_json nvarchar(max), refresh_json nvarchar(max), row_count bigint,
      finished_run nvarchar(100), fresh_at nvarchar(30), swept_at nvarchar(30), updated_at datetime2(3) NOT NULL, PRIMARY KEY (connector, stream)`,
    ],
    [
      systemTables.tables,
      `name ${keyText(128)} PRIMARY KEY, connector ${keyText(100)}, stream ${keyText(300)}, source_name ${keyText(300)}`,
    ],
    [
      systemTables.rejects,
      `id bigint IDENTITY(1, 1) PRIMARY KEY, connector ${keyText(100)}, stream ${keyText(300)}, run_id nvarchar(100) NOT NULL, table_name nvarchar(400) NOT NULL,
      column_name nvarchar(400), reason nvarchar(max) NOT NULL, row_json nvarchar(max) NOT NULL, at datetime2(3) NOT NULL`,
    ],
    [
      systemTables.runs,
      `connector ${keyText(100)}, run_id ${keyText(100)}, status nvarchar(20) NOT NULL, started_at datetime2(3) NOT NULL, ended_at datetime2(3),
      rows_read bigint NOT NULL, rows_written bigint NOT NULL, rows_updated bigint NOT NULL, rows_deleted bigint NOT NULL, rows_rejected bigint NOT NULL,
      notice nvarchar(max), PRIMARY KEY (connector, run_id)`,
    ],
    [
      systemTables.freshness,
      `table_name ${keyText(128)} PRIMARY KEY, connector ${keyText(100)}, stream ${keyText(300)}, fresh_at datetime2(3) NOT NULL, compared_at datetime2(3),
      run_id nvarchar(100) NOT NULL, rows_moved bigint NOT NULL`,
    ],
    [
      systemTables.histories,
      `table_name ${keyText(128)} PRIMARY KEY, history_name ${keyText(128)}, connector ${keyText(100)}, stream ${keyText(300)}, names nvarchar(max) NOT NULL,
      since nvarchar(30), ended_at nvarchar(30), as_of_select nvarchar(max)`,
    ],
    [
      systemTables.cutOffs,
      `connector ${keyText(100)}, run_id ${keyText(100)}, cut_off nvarchar(30) NOT NULL, PRIMARY KEY (connector, run_id)`,
    ],
  ] as const
  for (const [name, columns] of tables)
    await run(`IF OBJECT_ID(${literal(name)}) IS NULL CREATE TABLE ${name} (${columns})`)
  // Tables of an earlier version.
  await run(
    `IF COL_LENGTH(${literal(systemTables.state)}, 'fresh_at') IS NULL ALTER TABLE ${systemTables.state} ADD fresh_at nvarchar(30)`,
  )
}

/** Takes the fencing token: from now on no older writer can commit, because every commit checks the token. */
export async function takeFence(
  { rows }: SqlServerSession,
  { writer: table }: SystemTables,
  writer: Writer,
): Promise<void> {
  const isOwn = `connector = ${literal(writer.connectorId)}`
  const [row] = await rows(
    `BEGIN TRANSACTION;
    IF NOT EXISTS (SELECT 1 FROM ${table} WITH (UPDLOCK, HOLDLOCK) WHERE ${isOwn})
      INSERT INTO ${table} (connector, fence, run_id, began_at) VALUES (${literal(writer.connectorId)}, ${writer.fence}, ${literal(writer.runId)}, SYSUTCDATETIME());
    UPDATE ${table} SET fence = ${writer.fence}, run_id = ${literal(writer.runId)}, began_at = SYSUTCDATETIME() WHERE ${isOwn} AND fence < ${writer.fence};
    SELECT CONVERT(varchar(20), fence), run_id FROM ${table} WHERE ${isOwn};
    COMMIT TRANSACTION`,
  )
  assertNewerFence({ fence: Number(row?.[0]), runId: String(row?.[1]) }, writer)
}

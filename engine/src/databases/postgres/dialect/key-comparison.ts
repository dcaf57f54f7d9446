/** The statements of a key comparison. Rows to delete are listed once, for the main table and its children. */
import { missingKeysMax } from '../../../ports/target.ts'
import type { StagedTable } from '../../sql-target/dialect.ts'
import { columnsEqual } from '../../sql-target/sessions.ts'
import type { TargetTable } from '../../sql-target/table-layout.ts'
import { copyOut } from '../copy-out.ts'
import { quote } from '../types.ts'
import { deleteListed } from './merge.ts'
import type { PostgresSession } from './session.ts'
import { columnList, qualified } from './tables.ts'

const unlisted = 'tributary_gone'

export async function compareKeys(
  { run, rows }: PostgresSession,
  main: TargetTable,
  { stage }: StagedTable,
): Promise<{ readonly rows: number; readonly deleted: number }> {
  await run(`ANALYZE ${stage}`)
  await run(`CREATE TEMP TABLE ${unlisted} ON COMMIT DROP AS SELECT ${columnList(main.key)} FROM ${qualified(main)} AS kept
    WHERE NOT EXISTS (SELECT FROM ${stage} AS came WHERE ${keysEqual(main)})`)
  const [[deleted, count] = []] = await rows(
    `SELECT (SELECT count(*) FROM ${unlisted}), (SELECT count(*) FROM ${qualified(main)})`,
  )
  return { rows: Number(count ?? 0), deleted: Number(deleted ?? 0) }
}

export function missingKeysSql(main: TargetTable, { stage }: StagedTable): string {
  return `FROM ${stage} AS came WHERE NOT EXISTS (SELECT FROM ${qualified(main)} AS kept WHERE ${keysEqual(main)})`
}

export async function readMissingKeys(
  { client }: PostgresSession,
  { target }: StagedTable,
  from: string,
): Promise<Uint8Array> {
  const columns = target.key.map((name) => `came.${quote(name)}`).join(', ')
  const pieces: Buffer[] = []
  for await (const piece of copyOut(client, `COPY (SELECT ${columns} ${from} LIMIT ${missingKeysMax}) TO STDOUT`))
    pieces.push(piece)
  return Buffer.concat(pieces)
}

export async function deleteUnlisted(
  session: PostgresSession,
  target: TargetTable,
  _main: TargetTable,
  keys: StagedTable,
): Promise<void> {
  await deleteListed(session, { target, into: qualified(target) }, { target: keys.target, stage: unlisted })
}

function keysEqual({ key }: TargetTable): string {
  return columnsEqual(quote, ['came', key], ['kept', key])
}

/** Replacements: shadow tables are loaded while readers see the tables, then take their place in one transaction. */
import type pg from 'pg'
import type { WriteCounts } from '../../../ports/target.ts'
import type { ReplacementEnd, ShadowOptions } from '../../sql-target/dialect.ts'
import { shadowTableName, shadowTablePrefix } from '../../sql-target/shadow-name.ts'
import type { TargetTable } from '../../sql-target/table-layout.ts'
import { errorCode } from '../faults.ts'
import { columnList, quote } from '../types.ts'
import type { PostgresDialect } from './session.ts'
import { attachViews, detachViews, lockNotAvailable, ViewsInTheWay } from './dependent-views.ts'
import { copyIndexes, type ShadowTable, swapTable } from './swap.ts'
import { keyName, qualified, readColumns, renameTable } from './tables.ts'

/** A reader may hold the table for long: wait and try again. */
const swapPauseMs = 1_000
const swapAttempts = 6

function addressOf({ target, name }: ShadowTable): string {
  return qualified({ ...target, name })
}

interface PostgresReplacement extends Pick<ShadowOptions, 'around'> {
  readonly shadows: readonly ShadowTable[]
  readonly isDirect: boolean
}

/** Keys and indexes are built before the last transaction. Its last attempt swaps without a lock that keeps readers out. */
async function finishReplacement(
  client: pg.Client,
  { shadows, isDirect, around }: PostgresReplacement,
  end: ReplacementEnd,
): Promise<WriteCounts> {
  const { counts, rows } = await end.apply()
  await end.clearStages()
  for (const shadow of shadows) {
    if (isDirect) await addKey(client, shadow)
    await copyIndexes(client, shadow)
  }
  let keepsViews = false
  for (let attempt = 1; ; attempt++) {
    try {
      await end.transaction(async () => {
        await end.recordHistory()
        if (attempt === swapAttempts || keepsViews)
          for (const shadow of shadows) await swapTable(client, shadow, 'refill')
        else await swapByRename(client, shadows)
        await end.writeEnd(end.endState(rows))
      })
      return counts
    } catch (error) {
      const isLocked = errorCode(error) === lockNotAvailable
      if (attempt === swapAttempts || (!isLocked && !(error instanceof ViewsInTheWay))) throw error
      await client.query('ROLLBACK')
      keepsViews ||= !isLocked
      if (isLocked) await around.clock.sleep(swapPauseMs, around.signal)
    }
  }
}

async function createShadowTables(
  client: pg.Client,
  shadows: readonly ShadowTable[],
  isDirect: boolean,
): Promise<void> {
  await dropShadowTables(
    client,
    shadows.map(({ target }) => target),
  )
  for (const shadow of shadows) {
    await client.query(
      `CREATE TABLE ${addressOf(shadow)} (LIKE ${qualified(shadow.target)} INCLUDING DEFAULTS INCLUDING COMMENTS INCLUDING STORAGE)`,
    )
    await dropFormerNotNulls(client, shadow)
    if (!isDirect) await addKey(client, shadow)
  }
}

/** The table may have had another key once, whose columns need no values any more. */
async function dropFormerNotNulls(client: pg.Client, shadow: ShadowTable): Promise<void> {
  const { columns, table, schema } = shadow.target
  const required = new Set(
    columns.filter(({ isKey }, at) => isKey || table.columns[at]?.nullable === false).map(({ name }) => name),
  )
  const existing = await readColumns(client, { schema, name: shadow.name })
  const free = existing.filter((column) => column.notNull && !required.has(column.name))
  if (free.length === 0) return
  const actions = free.map(({ name }) => `ALTER COLUMN ${quote(name)} DROP NOT NULL`)
  await client.query(`ALTER TABLE ${addressOf(shadow)} ${actions.join(', ')}`)
}

/** Views that would prevent it are taken off and put back. Where that is not possible, their tables are refilled. */
async function swapByRename(client: pg.Client, shadows: readonly ShadowTable[]): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = '5s'`)
  const views = await detachViews(
    client,
    shadows.map(({ target }) => target),
  )
  for (const shadow of shadows) await swapTable(client, shadow, 'rename')
  await attachViews(client, views ?? [])
}

/** The shadow tables of an earlier attempt become this writer's, under this writer's names. */
async function takeOver(client: pg.Client, shadows: readonly ShadowTable[], fence: number): Promise<void> {
  for (const shadow of shadows) {
    const { target, name } = shadow
    const former = shadowTableName(target.name, fence)
    if (former !== name) await renameTable(client, { schema: target.schema, name: former }, name)
    await addKey(client, shadow)
  }
}

/** Built after the rows where that is possible: sorting once is cheaper than finding the place of each row. */
async function addKey(client: pg.Client, shadow: ShadowTable): Promise<void> {
  const { key, schema } = shadow.target
  if (key.length === 0) return
  if ((await readColumns(client, { schema, name: shadow.name })).some(({ isKey }) => isKey)) return
  await client.query(
    `ALTER TABLE ${addressOf(shadow)} ADD CONSTRAINT ${quote(keyName(shadow.name))} PRIMARY KEY (${columnList(key)})`,
  )
}

async function dropShadowTables(client: pg.Client, tables: readonly TargetTable[]): Promise<void> {
  for (const target of tables) {
    const left = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r' AND starts_with(relname, $2)`,
      [quote(target.schema), shadowTablePrefix(target.name)],
    )
    for (const { name } of left.rows) await client.query(`DROP TABLE ${qualified({ ...target, name })}`)
  }
}

export const shadowSql = {
  dropShadowTables: ({ client }, tables) => dropShadowTables(client, tables),
  async openShadowTables({ client }, { stream, refresh, tables, writer, around }) {
    const isDirect = refresh === null && stream.hasDistinctKeys
    const shadows = tables.map((target) => ({ target, name: shadowTableName(target.name, writer.fence) }))
    if (refresh === null) await createShadowTables(client, shadows, isDirect)
    else await takeOver(client, shadows, refresh.fence)
    return {
      tables: shadows.map(addressOf),
      isDirect,
      isResumed: refresh !== null,
      finish: (end) => finishReplacement(client, { shadows, isDirect, around }, end),
    }
  },
} satisfies Partial<PostgresDialect>

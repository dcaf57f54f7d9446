/** A replacement: tables loaded beside those that readers see, which then take their place in one transaction. */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { errorCode } from '../faults.ts'
import { quote } from '../types.ts'
import type { Stream, Surroundings } from '../../../ports/source.ts'
import type { Writer } from '../../../ports/target.ts'
import { columnList, keyName, qualified, readColumns, type Placement } from './tables.ts'
import type { Refresh } from '../../sql-target/stored-state.ts'
import { copyIndexes, swapTable, type Replacement } from './swap.ts'

const prefix = 'tributary_new_'
/** How often a swap is tried against somebody who reads the table for long. */
const swapAttempts = 6
const lockNotAvailable = '55P03'
const swapPauseMs = 1_000

/** What a replacement adds to a merge: where the rows go, and how they take the table's place. */
export interface Beside {
  /** Quoted names of the tables beside, in the order of the placements. */
  readonly tables: readonly string[]
  /** Rows go straight in: every key comes once and nothing is there yet. */
  readonly direct: boolean
  /** Makes the tables beside ready, outside the last transaction. */
  readonly complete: () => Promise<void>
  /** Takes the place of the former tables, inside the last transaction. The last attempt gets by without a lock that shuts readers out. */
  readonly swap: (attempt: number) => Promise<void>
  readonly resumed: boolean
}

export interface Opening {
  readonly client: pg.Client
  readonly writer: Writer
  readonly stream: Stream
  readonly placements: readonly Placement[]
  /** Where to go on, if so. */
  readonly refresh: Refresh | null
  readonly around: Surroundings
}

/** The name carries the fence, so that a writer that was declared dead can never add to its successor's table. */
export function nameBeside(placement: Placement, fence: number): string {
  return `${stem(placement)}${fence}`
}

function stem(placement: Placement): string {
  return `${prefix}${createHash('sha256').update(placement.name).digest('hex').slice(0, 12)}_`
}

export async function openBeside(opening: Opening): Promise<Beside> {
  const { client, stream, refresh, placements, writer } = opening
  const isDirect = refresh === null && stream.distinct
  const replacements = placements.map((placement) => ({ placement, name: nameBeside(placement, writer.fence) }))
  if (refresh === null) await makeTables(client, replacements, isDirect)
  else await takeOver(client, replacements, refresh)
  return {
    tables: replacements.map(({ placement, name }) => qualified({ ...placement, name })),
    direct: isDirect,
    resumed: refresh !== null,
    complete: async () => {
      for (const replacement of replacements) {
        if (isDirect) await addKey(client, replacement)
        await copyIndexes(client, replacement)
      }
    },
    swap: async (attempt) => {
      for (const replacement of replacements)
        await swapTable(client, replacement, attempt === swapAttempts ? 'refill' : 'rename')
    },
  }
}

/** Tries the transaction of a swap again where somebody reads the table for long, after a pause. */
export async function retrySwap(
  client: pg.Client,
  around: Surroundings,
  transaction: (attempt: number) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await transaction(attempt)
      return
    } catch (error) {
      if (errorCode(error) !== lockNotAvailable || attempt === swapAttempts) throw error
      await client.query('ROLLBACK')
      await around.clock.sleep(swapPauseMs, around.signal)
    }
  }
}

async function makeTables(client: pg.Client, replacements: readonly Replacement[], isDirect: boolean): Promise<void> {
  await dropBeside(
    client,
    replacements.map(({ placement }) => placement),
  )
  for (const replacement of replacements) {
    const { placement, name } = replacement
    const fresh = qualified({ ...placement, name })
    await client.query(
      `CREATE TABLE ${fresh} (LIKE ${qualified(placement)} INCLUDING DEFAULTS INCLUDING COMMENTS INCLUDING STORAGE)`,
    )
    await freeFormerKey(client, replacement)
    if (!isDirect) await addKey(client, replacement)
  }
}

/** The table may have had another key once, whose columns need not be filled any more. */
async function freeFormerKey(client: pg.Client, { placement, name }: Replacement): Promise<void> {
  const required = new Set(
    placement.columns
      .filter((column, at) => column.isKey || placement.table.columns[at]?.nullable === false)
      .map((column) => column.name),
  )
  const there = await readColumns(client, { schema: placement.schema, name })
  const free = there.filter((column) => column.notNull && !required.has(column.name))
  if (free.length === 0) return
  await client.query(
    `ALTER TABLE ${qualified({ ...placement, name })} ${free.map((column) => `ALTER COLUMN ${quote(column.name)} DROP NOT NULL`).join(', ')}`,
  )
}

/** What an earlier attempt has loaded becomes this writer's, under this writer's name. */
async function takeOver(client: pg.Client, replacements: readonly Replacement[], refresh: Refresh): Promise<void> {
  for (const replacement of replacements) {
    const { placement, name } = replacement
    const former = nameBeside(placement, refresh.fence)
    if (former !== name) await renameBeside(client, replacement, former)
    await addKey(client, replacement)
  }
}

/** The key, where it was there from the start, is named after its table. */
async function renameBeside(client: pg.Client, { placement, name }: Replacement, former: string): Promise<void> {
  const at = { schema: placement.schema, name }
  await client.query(`ALTER TABLE ${qualified({ ...at, name: former })} RENAME TO ${quote(name)}`)
  const hasKey = (await readColumns(client, at)).some((column) => column.keyAt !== null)
  if (hasKey)
    await client.query(
      `ALTER TABLE ${qualified(at)} RENAME CONSTRAINT ${quote(keyName(former))} TO ${quote(keyName(name))}`,
    )
}

/** Built after the rows where that is possible: sorting once is cheaper than finding the place of each row. */
async function addKey(client: pg.Client, { placement, name }: Replacement): Promise<void> {
  if (placement.key.length === 0) return
  const at = { schema: placement.schema, name }
  if ((await readColumns(client, at)).some((column) => column.keyAt !== null)) return
  await client.query(
    `ALTER TABLE ${qualified(at)} ADD CONSTRAINT ${quote(keyName(name))} PRIMARY KEY (${columnList(placement.key)})`,
  )
}

/** Drops what half-done replacements of these tables have left. */
export async function dropBeside(client: pg.Client, placements: readonly Placement[]): Promise<void> {
  for (const placement of placements) {
    const left = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r' AND starts_with(relname, $2)`,
      [quote(placement.schema), stem(placement)],
    )
    for (const { name } of left.rows) await client.query(`DROP TABLE ${qualified({ ...placement, name })}`)
  }
}

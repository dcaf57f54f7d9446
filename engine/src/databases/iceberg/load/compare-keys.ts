/** Key comparison: deletes the rows whose keys the source no longer has, and finds the keys that no row has. */
import { decodeRow, encodeRow } from '../../../encoding/copy-text.ts'
import type { RowBatch } from '../../../ports/model.ts'
import type { ComparedPart } from '../../../ports/row-scope.ts'
import type { Stream } from '../../../ports/source.ts'
import { type KeyComparisonResult, type MissingKeys, missingKeysMax, type ShrinkGuard } from '../../../ports/target.ts'
import { KeyRejects } from '../../sql-target/rejected-rows.ts'
import type { StreamTables } from '../../sql-target/table-layout.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import { parserOf } from '../format/cells.ts'
import type { CellRow } from '../table/data-writer.ts'
import { commitChanges } from '../table/commit-loop.ts'
import type { LakeContext } from '../table/lake-context.ts'
import { propertyNames, readProperty, readStreamState, stateProperties } from '../table/table-properties.ts'
import type { TableShape } from '../table/table-shape.ts'
import { partOf } from './keep-rows.ts'
import { KeyLists } from './key-lists.ts'
import { mergeChange, type PropertiesOf } from './load-changes.ts'
import { openTables, reopenTables, type TablesToOpen } from './open-tables.ts'
import type { StagedTables } from './staged-tables.ts'
import type { TableLoad } from './table-load.ts'
import { visitRows } from './visit-rows.ts'

export interface LakeKeyComparison {
  readonly stream: Stream
  readonly tables: StreamTables
  readonly keys: AsyncIterable<RowBatch>
  readonly guard: ShrinkGuard
  readonly part: ComparedPart | undefined
}

export async function compareKeys(context: LakeContext, comparison: LakeKeyComparison): Promise<KeyComparisonResult> {
  const rejects = new KeyRejects()
  const options = { ...comparison, rejects, ...noCounters(comparison), base: 'rows', isDirect: false } as const
  const staged = await openTables(context, options)
  await using listed = await KeyLists.open()
  await using stored = await KeyLists.open()
  await using unlisted = await KeyLists.open()
  await listKeys(staged, comparison, listed)
  const rows = await listStoredKeys(staged, comparison, stored)
  const { deleted, missing } = await findDifferences({ listed, stored, unlisted })
  const { guard } = comparison
  if (deleted > guard.rows && deleted > rows * guard.share)
    return { outcome: 'refused', wouldDelete: deleted, rows, missing }
  await deleteUnlisted(context, { comparison, staged, unlisted, deleted, options })
  return { outcome: 'done', deleted, ...(rejects.count > 0 && { unstorableKeys: rejects.count }), missing }
}

function noCounters({ tables }: LakeKeyComparison): Pick<TablesToOpen, 'losses' | 'seen'> {
  return { losses: { count: 0 }, seen: tables.map(() => ({ count: 0 })) }
}

function lineOf({ key, formatters }: TableShape, row: CellRow): string {
  const texts = key.map((at) => {
    const cell = row[at] ?? null
    return cell === null ? null : (formatters[at]?.(cell) ?? null)
  })
  return encodeRow(texts).slice(0, -1)
}

async function listKeys({ loads: [main] }: StagedTables, { keys }: LakeKeyComparison, listed: KeyLists): Promise<void> {
  for await (const { bytes, release } of keys) {
    for (const key of main.decodeKeys(bytes)) {
      const row: CellRow[number][] = []
      for (const [at, position] of main.shape.key.entries()) row[position] = key[at] ?? null
      await listed.add(lineOf(main.shape, row))
    }
    release?.()
  }
  main.assertWhole()
}

/** Returns how many rows are compared. Rows outside of the part are not. */
async function listStoredKeys(
  { loads: [main] }: StagedTables,
  { part }: LakeKeyComparison,
  stored: KeyLists,
): Promise<number> {
  const { files, shape, target } = main
  const isInPart = part === undefined ? null : partOf(files, target, part)
  const positions = part === undefined ? shape.key : shape.fields.map((_, at) => at)
  const fields = positions.flatMap((at) => shape.fields[at] ?? [])
  let rows = 0
  const source = { storage: files.table.storage, files: files.files, fields }
  await visitRows(source, (cells) => {
    const row: CellRow[number][] = []
    for (const [column, position] of positions.entries()) row[position] = cells[column] ?? null
    if (isInPart !== null && !isInPart(row)) return undefined
    rows++
    return stored.add(lineOf(shape, row))
  })
  return rows
}

interface ComparedLists {
  readonly listed: KeyLists
  readonly stored: KeyLists
  /** Gets the keys of the rows to delete. */
  readonly unlisted: KeyLists
}

async function findDifferences({
  listed,
  stored,
  unlisted,
}: ComparedLists): Promise<{ readonly deleted: number; readonly missing: MissingKeys }> {
  let deleted = 0
  let count = 0
  const missing: string[] = []
  for await (const { own, other } of listed.partitionsWith(stored)) {
    const lacking = new Set(own)
    for await (const key of other.read()) {
      lacking.delete(key)
      if (own.has(key)) continue
      deleted++
      await unlisted.add(key)
    }
    count += lacking.size
    for (const key of lacking) if (missing.length < missingKeysMax) missing.push(`${key}\n`)
  }
  return { deleted, missing: { count, rows: Buffer.from(missing.join('')) } }
}

interface Deletion {
  readonly comparison: LakeKeyComparison
  readonly staged: StagedTables
  readonly unlisted: KeyLists
  readonly deleted: number
  readonly options: TablesToOpen
}

async function deleteUnlisted(context: LakeContext, deletion: Deletion): Promise<void> {
  const { staged, deleted, options } = deletion
  const comparedAt = new Date(context.around.clock.now()).toISOString()
  await stageDeletions(deletion, staged)
  const changes = staged.loads.map((opened, at) => {
    const onTopOf = async (table: LoadedTable): Promise<TableLoad> => {
      if (opened.isBasedOn(table)) return opened
      const { staged: again, load } = await reopenTables(context, { ...options, only: at, table })
      await stageDeletions(deletion, again)
      return load
    }
    return mergeChange(context, onTopOf, {
      name: opened.target.name,
      properties: comparedProperties(deletion, { at, comparedAt, deleted }),
      isEnd: false,
    })
  })
  const [main, ...children] = changes
  if (main !== undefined) await commitChanges(context, [...children, main])
  for (const { files } of staged.loads) await files.deleteGarbage('replaced')
}

async function stageDeletions({ unlisted, deleted }: Deletion, staged: StagedTables): Promise<void> {
  if (deleted === 0) return
  const { shape } = staged.loads[0]
  const parsers = shape.key.map((at) => parserOf(shape.fields[at]?.type ?? 'string'))
  for await (const { own } of unlisted.partitionsWith(unlisted)) {
    for (const line of own) {
      const key = decodeRow(line).map((text, at) => (text === null ? null : (parsers[at]?.(text) ?? null)))
      for (const load of staged.loads) load.deleteOwner(key)
    }
    await staged.flush()
  }
}

function comparedProperties(
  { comparison: { part } }: Deletion,
  { at, comparedAt, deleted }: { readonly at: number; readonly comparedAt: string; readonly deleted: number },
): PropertiesOf {
  return (table, rows) => {
    const state = readStreamState(table)
    const sweptAt = part?.isLast === false ? state.sweptAt : comparedAt
    const isFresh = readProperty(table, 'freshAt') !== null
    const moved = Number(readProperty(table, 'rowsMoved') ?? 0) + (at === 0 ? deleted : 0)
    return {
      ...(at === 0 && stateProperties({ ...state, rows, sweptAt })),
      ...(isFresh && { [propertyNames.comparedAt]: comparedAt, [propertyNames.rowsMoved]: String(moved) }),
    }
  }
}

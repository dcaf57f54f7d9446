/**
 * Commits changes to tables. A commit by another program in between is never overwritten: the change is made again on top of it. If the
 * reply is lost, the table's properties show whether the commit was applied, so that it is not repeated.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { Fault } from '../../../ports/faults.ts'
import {
  CatalogConflictError,
  CommitOutcomeUnknownError,
  type LoadedTable,
  type TableCommit,
} from '../catalog/catalog.ts'
import type { TableRequirement, TableUpdate } from '../catalog/commit.ts'
import type { Properties } from '../catalog/metadata.ts'
import { identify, type LakeContext, loadTable } from './lake-context.ts'
import { snapshotOf } from './table-files.ts'
import { assertHoldsFence, assertMayClaim, fenceProperties, propertyNames, readProperty } from './table-properties.ts'

export interface TableChange {
  readonly requirements?: readonly TableRequirement[]
  readonly updates: readonly TableUpdate[]
  readonly properties?: Properties
  readonly removedProperties?: readonly string[]
  /** Files that are garbage if the commit is not applied. */
  readonly written: readonly string[]
}

export interface ChangeOfTable {
  readonly name: string
  /** `claim`: the commit makes the writer the one that the table belongs to. */
  readonly fence: 'hold' | 'claim'
  /** Makes the change for the table as it is now; null if nothing has to change. Called again after a conflict. */
  build(table: LoadedTable): Promise<TableChange | null>
}

const attemptsMax = 30
const pauseMs = 100
const pauseMaxMs = 5_000

/** Commits one table. Returns it as it is afterwards. */
export async function commitChange(context: LakeContext, change: ChangeOfTable): Promise<LoadedTable> {
  const commitId = randomUUID()
  const uncertain: PreparedCommit[] = []
  for (let attempt = 1; ; attempt++) {
    const prepared = await prepareCommit(context, change, commitId)
    if (prepared.commit === null) return await withoutGarbage(prepared.table, uncertain)
    try {
      return await withoutGarbage(await context.catalog.commitTable(prepared.commit), uncertain)
    } catch (error) {
      await beforeRetry(context, { error, attempt, prepared: [prepared], uncertain })
    }
  }
}

/** Deletes what attempts of unknown outcome have written, unless the table has it. They cannot be applied any more. */
async function withoutGarbage(table: LoadedTable, uncertain: readonly PreparedCommit[]): Promise<LoadedTable> {
  const lists = new Set(table.metadata.snapshots?.map((snapshot) => snapshot['manifest-list']))
  for (const { written } of uncertain) if (!written.some((path) => lists.has(path))) await table.storage.delete(written)
  return table
}

/**
 * Commits the tables of a stream: at once if the catalog offers it, otherwise one after the other, so the last must be the one that decides.
 */
export async function commitChanges(context: LakeContext, changes: readonly ChangeOfTable[]): Promise<void> {
  const { commitTables } = context.catalog
  if (commitTables === null || changes.length === 1) {
    for (const change of changes) await commitChange(context, change)
    return
  }
  const commitId = randomUUID()
  const uncertain: PreparedCommit[] = []
  for (let attempt = 1; ; attempt++) {
    const prepared: PreparedCommit[] = []
    for (const change of changes) prepared.push(await prepareCommit(context, change, commitId))
    const commits = prepared.flatMap(({ commit }) => commit ?? [])
    if (commits.length === 0) return
    try {
      return await commitTables.call(context.catalog, commits)
    } catch (error) {
      await beforeRetry(context, { error, attempt, prepared, uncertain })
    }
  }
}

interface PreparedCommit {
  readonly table: LoadedTable
  /** Null if nothing has to change, or the commit was applied before. */
  readonly commit: TableCommit | null
  readonly written: readonly string[]
}

async function prepareCommit(context: LakeContext, change: ChangeOfTable, commitId: string): Promise<PreparedCommit> {
  context.around.signal.throwIfAborted()
  const table = await loadTable(context, change.name)
  if (readProperty(table, 'commit') === commitId) return { table, commit: null, written: [] }
  if (change.fence === 'claim') assertMayClaim(table, context.writer)
  else assertHoldsFence(table, context.writer)
  const built = await change.build(table)
  if (built === null) return { table, commit: null, written: [] }
  const { requirements = [], updates, properties, removedProperties = [], written } = built
  const current = snapshotOf(table)?.['snapshot-id'] ?? null
  const commit: TableCommit = {
    identifier: identify(context, change.name),
    requirements: [
      { type: 'assert-table-uuid', uuid: table.metadata['table-uuid'] },
      { type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': current },
      ...requirements,
    ],
    updates: [
      ...updates,
      {
        action: 'set-properties',
        updates: { ...fenceProperties(context.writer), ...properties, [propertyNames.commit]: commitId },
      },
      ...(removedProperties.length > 0 ? [{ action: 'remove-properties' as const, removals: removedProperties }] : []),
    ],
  }
  return { table, commit, written }
}

interface FailedAttempt {
  readonly error: unknown
  readonly attempt: number
  readonly prepared: readonly PreparedCommit[]
  readonly uncertain: PreparedCommit[]
}

/** Removes what a refused commit has written, and waits. @throws the error, unless the commit may be tried again */
async function beforeRetry({ around }: LakeContext, failed: FailedAttempt): Promise<void> {
  const { error, attempt, prepared, uncertain } = failed
  if (error instanceof CatalogConflictError)
    for (const { table, written } of prepared) await table.storage.delete(written)
  else if (error instanceof CommitOutcomeUnknownError) uncertain.push(...prepared)
  else throw error
  if (attempt >= attemptsMax)
    throw new Fault('passing', {
      code: 'iceberg.commit_refused',
      notice:
        'Other programs change the table all the time, or the catalog does not answer, so the rows could not be committed. The next attempt continues from the last commit.',
      cause: error,
    })
  const pause = Math.min(pauseMs * 2 ** (attempt - 1), pauseMaxMs)
  await around.clock.sleep(randomInt(Math.ceil(pause / 2), pause + 1), around.signal)
}

/** Daily maintenance of a connector's tables: small files are joined, old snapshots and files without a snapshot are removed. */
import type { MaintainedTable } from '../../../ports/maintenance.ts'
import { formatterOf } from '../format/cells.ts'
import { primitiveFields } from '../format/parquet-schema.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import { type JoinedFiles, type JoinLimits, joinSmallFiles } from '../load/join-files.ts'
import { toChange } from '../load/load-changes.ts'
import { StagedFiles } from '../load/staged-files.ts'
import { commitChange } from '../table/commit-loop.ts'
import { expireSnapshots, rowRetention } from '../table/expire-snapshots.ts'
import { filePrefix, identify, type LakeContext, signature } from '../table/lake-context.ts'
import { schemaOf, writeSnapshot } from '../table/snapshot-writer.ts'
import { snapshotOf } from '../table/table-files.ts'
import { propertyNames, readProperty } from '../table/table-properties.ts'
import type { TableShape } from '../table/table-shape.ts'
import { claimingSnapshot, type ConnectorTable } from './connector-table.ts'
import { removeOrphans } from './orphans.ts'

/** More is the work of an engine that runs on several machines. */
const limits: JoinLimits = { filesMin: 2, bytesMax: 2 * 1_073_741_824 }
const retention = { ...rowRetention, expiredMin: 1 }

export async function* maintainTables(
  context: LakeContext,
  connector: ConnectorTable,
): AsyncGenerator<MaintainedTable> {
  for (const { name } of await connector.listTables())
    if ((await context.catalog.loadTable(identify(context, name))) !== null) yield await maintainTable(context, name)
}

/** Every commit keeps the checkpoint, so a run that is due continues where the last one ended, also if this is interrupted. */
async function maintainTable(context: LakeContext, name: string): Promise<MaintainedTable> {
  const removedFiles = await removeOrphans(context, await claimTable(context, name), 0)
  const { joined, left } = await joinFiles(context, name)
  const removedSnapshots = await expireSnapshots(context, name, retention)
  await commitChange(context, {
    name,
    fence: 'hold',
    build: async () => ({ updates: [], written: [], removedProperties: [propertyNames.uncleanSince] }),
  })
  return { table: name, joinedFiles: joined, smallFilesLeft: left, removedSnapshots, removedFiles }
}

/**
 * Ends what a former writer has prepared. Before any file is written the table is marked as one that may have orphans, so that the next
 * writer finds them if this one is killed.
 */
async function claimTable(context: LakeContext, name: string): Promise<LoadedTable> {
  await commitChange(context, {
    name,
    fence: 'claim',
    build: async (loaded) => {
      const properties = { [propertyNames.uncleanSince]: String(context.writer.fence) }
      return readProperty(loaded, 'uncleanSince') === null ? { updates: [], written: [], properties } : null
    },
  })
  return await commitChange(context, {
    name,
    fence: 'claim',
    build: (loaded) => claimingSnapshot(context, loaded),
  })
}

async function joinFiles(context: LakeContext, name: string): Promise<JoinedFiles> {
  const joining = new FileJoin(context)
  try {
    await commitChange(context, {
      name,
      fence: 'hold',
      build: async (table) => {
        const files = await joining.onTopOf(table)
        if (joining.result.joined === 0) return null
        files.offer()
        const change = { listed: files.listed, ...files.changes, summary: { operation: 'replace' } }
        return toChange(await writeSnapshot(table, { ...change, branch: 'main', ...signature(context) }), 'main')
      },
    })
  } finally {
    await joining.deleteGarbage()
  }
  return joining.result
}

class FileJoin {
  readonly #context: LakeContext
  #files: StagedFiles | null = null
  result: JoinedFiles = { joined: 0, left: 0 }

  constructor(context: LakeContext) {
    this.#context = context
  }

  /** The files of the table with the small ones joined. Joined again only if another program has committed. */
  async onTopOf(table: LoadedTable): Promise<StagedFiles> {
    const current = snapshotOf(table)
    if (this.#files !== null && snapshotOf(this.#files.table)?.['snapshot-id'] === current?.['snapshot-id'])
      return this.#files
    await this.#files?.deleteGarbage('all')
    const { manifests, writer } = this.#context
    const listed = await manifests.readAll(table.storage, current)
    const options = { table, shape: wholeShape(table), filePrefix: filePrefix(writer), listed, deletionRule: null }
    const files = new StagedFiles(options)
    this.#files = files
    this.result = await joinSmallFiles(files, limits)
    return files
  }

  /** The files that no commit was sent with. */
  async deleteGarbage(): Promise<void> {
    await this.#files?.deleteGarbage('unsent')
  }
}

/** With all columns of the table, as no source says which it still has. */
function wholeShape(table: LoadedTable): TableShape {
  const fields = primitiveFields(schemaOf(table.metadata).fields)
  const key = (JSON.parse(readProperty(table, 'key') ?? '[]') as readonly string[])
    .map((name) => fields.findIndex((field) => field.name === name))
    .filter((at) => at !== -1)
  const formatters = fields.map(({ type }) => formatterOf(type))
  return { fields, columns: fields.map((_, at) => at), key, owner: key, formatters }
}

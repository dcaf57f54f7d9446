/** A catalog and its storage whose changing calls fail as planned: the process dies, a reply is lost, or another program is faster. */
import {
  CommitOutcomeUnknownError,
  type IcebergCatalog,
  type LoadedTable,
  type TableCommit,
} from '@tributary/engine/databases/iceberg/catalog/catalog'
import type { ObjectStorage } from '@tributary/engine/databases/iceberg/storage/storage'

/** What happens at a call. `before`: it is not carried out. `after`: it is, and the process learns nothing of it. */
export type Fault =
  | { readonly kind: 'kill'; readonly at: number; readonly when: 'before' | 'after' }
  | { readonly kind: 'lostReply'; readonly at: number; readonly when: 'before' | 'after' }
  | { readonly kind: 'interrupt'; readonly at: number; readonly work: (commit: TableCommit) => Promise<void> }

export class KilledError extends Error {
  override readonly name = 'KilledError'
}

/** Counts the calls of one process. Kills count every changing call, the other faults only commits of tables. */
export class FaultPlan {
  calls = 0
  commits = 0
  readonly #fault: Fault | null
  #isDead = false

  constructor(fault: Fault | null) {
    this.#fault = fault
  }

  /** Every call of a dead process fails, whatever it is. */
  assertAlive(): void {
    if (this.#isDead) throw new KilledError('The process is dead.')
  }

  async change<T>(work: () => Promise<T>): Promise<T> {
    this.assertAlive()
    this.calls++
    const fault = this.#fault
    const isHit = fault?.kind === 'kill' && fault.at === this.calls
    if (!isHit) return await work()
    this.#isDead = true
    if (fault.when === 'after') await work()
    throw new KilledError('The process dies.')
  }

  async commit<T>(commit: TableCommit, work: () => Promise<T>): Promise<T> {
    this.commits++
    const fault = this.#fault
    if (fault === null || fault.kind === 'kill' || fault.at !== this.commits) return await this.change(work)
    if (fault.kind === 'interrupt') {
      await fault.work(commit)
      return await this.change(work)
    }
    if (fault.when === 'after') await this.change(work)
    throw new CommitOutcomeUnknownError('The reply was lost.')
  }
}

export function faultyCatalog(catalog: IcebergCatalog, plan: FaultPlan): IcebergCatalog {
  const withStorage = (table: LoadedTable): LoadedTable => ({ ...table, storage: faultyStorage(table.storage, plan) })
  const { commitTables } = catalog
  return {
    ensureNamespace: (namespace) => plan.change(() => catalog.ensureNamespace(namespace)),
    listTables: (namespace) => (plan.assertAlive(), catalog.listTables(namespace)),
    loadTable: async (identifier) => {
      plan.assertAlive()
      const table = await catalog.loadTable(identifier)
      return table === null ? null : withStorage(table)
    },
    createTable: async (identifier, table) =>
      withStorage(await plan.change(() => catalog.createTable(identifier, table))),
    commitTable: async (commit) => withStorage(await plan.commit(commit, () => catalog.commitTable(commit))),
    commitTables: commitTables === null ? null : (commits) => plan.change(() => commitTables.call(catalog, commits)),
    dropTable: (identifier, options) => plan.change(() => catalog.dropTable(identifier, options)),
    renameTable: (from, to) => plan.change(() => catalog.renameTable(from, to)),
    [Symbol.asyncDispose]: () => catalog[Symbol.asyncDispose](),
  }
}

function faultyStorage(storage: ObjectStorage, plan: FaultPlan): ObjectStorage {
  return {
    read: (location, range) => (plan.assertAlive(), storage.read(location, range)),
    size: (location) => (plan.assertAlive(), storage.size(location)),
    list: (prefix) => (plan.assertAlive(), storage.list(prefix)),
    write: (location, content) => plan.change(() => storage.write(location, content)),
    delete: (locations) => plan.change(() => storage.delete(locations)),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

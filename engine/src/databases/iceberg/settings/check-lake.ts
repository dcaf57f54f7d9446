/** Tests an Iceberg target: the catalog, the namespace, and a file that is written, read and deleted in its storage. */
import { randomUUID } from 'node:crypto'
import { runChecks } from '../../../ports/connection-test.ts'
import { Fault } from '../../../ports/faults.ts'
import type { ConnectionTestResult } from '../../../ports/settings.ts'
import type { ConnectionContext } from '../../../ports/source.ts'
import type { IcebergCatalog, LoadedTable } from '../catalog/catalog.ts'
import { openCatalog } from './open-catalog.ts'
import type { IcebergSettings } from './settings.ts'

/** The checks run in order; each needs the ones before. */
export async function checkLake(
  settings: IcebergSettings,
  context: ConnectionContext,
): Promise<readonly ConnectionTestResult[]> {
  await using lake = new CheckedLake(settings, context)
  return await runChecks([
    { name: 'The catalog can be reached', run: () => lake.reach() },
    { name: 'The catalog accepts the sign-in', run: () => lake.open() },
    { name: 'The namespace exists or can be created', run: () => lake.ensureNamespace() },
    { name: 'A table can be created', run: () => lake.createTable() },
    { name: 'A file can be written to the storage', run: () => lake.writeFile() },
    { name: 'The file can be read', run: () => lake.readFile() },
    { name: 'The file can be deleted', run: () => lake.deleteFile() },
    { name: 'The table can be changed and removed', run: () => lake.removeTable() },
  ])
}

const content = Buffer.from('Tributary tests the connection.')

class CheckedLake implements AsyncDisposable {
  readonly #settings: IcebergSettings
  readonly #context: ConnectionContext
  readonly #name = `tributary_test_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  #catalog: IcebergCatalog | null = null
  #table: LoadedTable | null = null

  constructor(settings: IcebergSettings, context: ConnectionContext) {
    this.#settings = settings
    this.#context = context
  }

  /** Passes if the server answers, even if it refuses the sign-in. */
  async reach(): Promise<void> {
    try {
      await this.open()
    } catch (error) {
      const answered = error instanceof Fault && (error.kind === 'signIn' || error.code === 'iceberg.catalog_denied')
      if (!answered) throw error
    }
  }

  async open(): Promise<void> {
    this.#catalog ??= await openCatalog(this.#settings, this.#context)
  }

  async ensureNamespace(): Promise<void> {
    await this.#opened.ensureNamespace(this.#settings.namespace)
  }

  async createTable(): Promise<void> {
    const fields = [{ id: 1, name: 'id', required: false, type: 'long' }]
    const schema = { type: 'struct', 'schema-id': 0, fields } as const
    this.#table = await this.#opened.createTable(this.#identifier, { schema })
  }

  async writeFile(): Promise<void> {
    await this.#created.storage.write(this.#file, content)
  }

  async readFile(): Promise<void> {
    const found = await this.#created.storage.read(this.#file)
    if (!content.equals(found))
      throw new Fault('settings', {
        code: 'iceberg.storage_differs',
        notice: 'The storage returns another content than was written. Check the endpoint of the storage.',
      })
  }

  async deleteFile(): Promise<void> {
    await this.#created.storage.delete([this.#file])
  }

  async removeTable(): Promise<void> {
    const uuid = this.#created.metadata['table-uuid']
    await this.#opened.commitTable({
      identifier: this.#identifier,
      requirements: [{ type: 'assert-table-uuid', uuid }],
      updates: [{ action: 'set-properties', updates: { 'tributary.test': 'done' } }],
    })
    await this.#drop()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // After a failed check; the failure is already in its result.
    if (this.#table !== null) await this.#drop().catch(() => undefined)
    await this.#catalog?.[Symbol.asyncDispose]()
  }

  async #drop(): Promise<void> {
    await this.#opened.dropTable(this.#identifier, { purge: true })
    this.#table = null
  }

  get #opened(): IcebergCatalog {
    if (this.#catalog === null) throw new Error('The catalog is not open.')
    return this.#catalog
  }

  get #created(): LoadedTable {
    if (this.#table === null) throw new Error('The table is not created.')
    return this.#table
  }

  get #identifier() {
    return { namespace: this.#settings.namespace, name: this.#name }
  }

  get #file(): string {
    return `${this.#created.metadata.location}/data/${this.#name}.txt`
  }
}

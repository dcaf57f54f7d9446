/**
 * The port of object storage, with the few operations that an Iceberg table needs. Objects are named by their location as
 * in table metadata: `s3://bucket/key`, `abfss://container@account.dfs.core.windows.net/path`, `file:///path`.
 */

export interface ObjectStorage extends AsyncDisposable {
  /** Reads an object, or a range of its bytes, which may end before `length`. @throws ObjectNotFoundError */
  read(location: string, range?: ByteRange): Promise<Uint8Array>
  /** In bytes. @throws ObjectNotFoundError */
  size(location: string): Promise<number>
  /**
   * Writes an object, which becomes visible complete or not at all, and replaces one of the same name. Returns its size
   * in bytes. Content that is not in memory is uploaded while it is produced.
   */
  write(location: string, content: ObjectContent): Promise<number>
  /** The objects whose locations begin with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<StoredObject>
  /** Deletes objects. A missing one is no error. */
  delete(locations: readonly string[]): Promise<void>
}

export type ObjectContent = Uint8Array | AsyncIterable<Uint8Array>

export interface ByteRange {
  readonly offset: number
  readonly length: number
}

export interface StoredObject {
  readonly location: string
  /** In bytes. */
  readonly size: number
  readonly modifiedAt: Date
}

export class ObjectNotFoundError extends Error {
  override readonly name = 'ObjectNotFoundError'

  constructor(location: string) {
    super(`There is no object ${location}.`)
  }
}

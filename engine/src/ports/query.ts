/** A query that a person has written: its result, its limits and its refusal. Values are the text that the database writes. */

export type QueryDialect = 'postgres' | 'mysql' | 'sqlserver'

export type QueryValueKind = 'number' | 'boolean' | 'date' | 'timestamp' | 'text'

export interface QueryColumn {
  readonly name: string
  /** As the database calls it: `numeric(12,2)`. */
  readonly type: string
  readonly kind: QueryValueKind
}

export interface QueryLimits {
  readonly rows: number
  /** Of the values of all rows together, in UTF-8. */
  readonly bytes: number
  readonly timeMs: number
}

export type QueryLimit = keyof QueryLimits

export interface QueryResult {
  readonly columns: readonly QueryColumn[]
  readonly rows: readonly (readonly (string | null)[])[]
  /** The limit at which reading stopped. Null: these are all rows. */
  readonly reached: QueryLimit | null
}

interface RefusalDetail {
  /** Offset in the statement, in UTF-16 code units. */
  readonly position?: number | undefined
  readonly hint?: string | undefined
  /** The database's own code of the error. */
  readonly code?: string | undefined
  readonly cause?: unknown
}

/** The statement, not the connection, is the reason that there is no result. The message is for the person who wrote it. */
export class QueryRefused extends Error {
  override readonly name = 'QueryRefused'
  readonly position: number | undefined
  readonly hint: string | undefined
  readonly code: string | undefined

  constructor(message: string, { position, hint, code, cause }: RefusalDetail = {}) {
    super(message, { cause })
    this.position = position
    this.hint = hint
    this.code = code
  }
}

/** The door to our own database. Nothing is read or written but inside a transaction that says for which organisation. */
import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** A transaction (or, in migrations and tests, a connection). First argument of every query. */
export type Db = Kysely<Schema>

export interface Store {
  /** One transaction that sees one organisation: row level security refuses every other, whatever the query says. */
  within<T>(organisationId: string, work: (db: Db) => Promise<T>): Promise<T>
  /** One transaction that sees all organisations: sign-in, the scheduler, the provider's lists. Say in a comment why. */
  across<T>(work: (db: Db) => Promise<T>): Promise<T>
}

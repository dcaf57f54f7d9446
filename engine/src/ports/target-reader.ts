/** A target that is opened under a second login, which must only read: people query it. */
import type { ConnectionTestResult } from './settings.ts'
import type { ConnectionContext } from './source.ts'
import type { QueryDialect, QueryLimits, QueryResult } from './query.ts'

export interface ReadingLogin {
  readonly user: string
  readonly password: string
}

/** What a kind of target offers for reading under a second login. */
export interface TargetReading<Settings = unknown> {
  readonly dialect: QueryDialect
  /** Where the login is sent: server, database and encryption. Another address needs another login. */
  addressOf(settings: Settings): string
  /** SQL that creates such a login, for a person to copy. */
  instructions(settings: Settings): string
  open(settings: Settings, login: ReadingLogin, context: ConnectionContext): Promise<TargetReader>
}

/** A table or view with the columns that a login may read, for completion. Descriptions are the database's comments. */
export interface ReadableTable {
  readonly schema: string
  readonly name: string
  readonly description: string | null
  readonly columns: readonly { readonly name: string; readonly description: string | null }[]
}

export interface TargetReader extends AsyncDisposable {
  /**
   * What the login might write, in words, by the catalogue of privileges: 'may INSERT into public.orders'. Empty if it cannot write.
   * Settings that make a session read-only do not count, because the session may lift them.
   */
  findWriteRights(): Promise<readonly string[]>
  /** Tries to write, and rolls back. Returns what the database allowed, or did not refuse for lack of rights. */
  attemptToWrite(): Promise<readonly string[]>
  /** By schema and name. Without tables of Tributary's own. A very large catalogue is cut. */
  listTables(): Promise<readonly ReadableTable[]>
  /** Throws `QueryRefused`. Aborting the signal cancels the query in the database. */
  query(statement: string, limits: QueryLimits, signal: AbortSignal): Promise<QueryResult>
}

/** Named checks. The password in the remedy is for the person to choose. */
export async function proveReading(
  open: () => Promise<TargetReader>,
  toFailure: (error: unknown) => ConnectionTestResult,
): Promise<readonly ConnectionTestResult[]> {
  const results: ConnectionTestResult[] = []
  try {
    await using reader = await open()
    results.push({ name: 'The login is accepted', outcome: 'passed' })
    results.push(toResult('It has no right to write', await reader.findWriteRights()))
    if (results.every(({ outcome }) => outcome === 'passed'))
      results.push(toResult('Attempts to write are refused', await reader.attemptToWrite()))
    return results
  } catch (error) {
    return [...results, toFailure(error)]
  }
}

const findingsShown = 5

function toResult(name: string, findings: readonly string[]): ConnectionTestResult {
  if (findings.length === 0) return { name, outcome: 'passed' }
  const more = findings.length > findingsShown ? `; and ${findings.length - findingsShown} more` : ''
  return {
    name,
    outcome: 'failed',
    notice: `This login ${findings.slice(0, findingsShown).join('; ')}${more}. Use a login that only reads.`,
  }
}

/** Sessions of a target: connections taken for a load or for one piece of work, and the statements they run. */

/** A parameter of a statement. A date is a point in time. */
export type SqlValue = string | number | Date | null

/** A row of a result, every value as the text that the database writes. */
export type TextRow = readonly (string | null)[]

/** One connection to the target. It runs one statement at a time. */
export interface TargetSession {
  /** `?` in the statement stands for the next value. */
  rows(sql: string, values?: readonly SqlValue[]): Promise<readonly TextRow[]>
  /** Runs a statement and returns how many rows it changed. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>
  /** Ends the use of a session without open work. */
  release(): void
  /** Closes the connection: the server rolls back open work and drops temporary tables. */
  destroy(): void
  /** The error to report in place of one that a statement has thrown. */
  explain(error: unknown): Promise<unknown>
}

/** The end of a session that no pool takes back. */
export function closing(connection: AsyncDisposable): Pick<TargetSession, 'release' | 'destroy' | 'explain'> {
  const close = (): void => void connection[Symbol.asyncDispose]()
  return { release: close, destroy: close, explain: async (error) => error }
}

export interface TargetSessions<Session> extends AsyncDisposable {
  take(): Promise<Session>
  /** Releases the session afterwards; closes it if `work` fails. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T>
}

/** @param take opens a session, or takes an idle one */
export function targetSessions<Session extends TargetSession>(
  take: () => Promise<Session>,
  dispose: () => Promise<void> = async () => {},
): TargetSessions<Session> {
  return {
    take,
    async use(work) {
      const session = await take()
      try {
        const result = await work(session)
        session.release()
        return result
      } catch (error) {
        session.destroy()
        throw await session.explain(error)
      }
    },
    [Symbol.asyncDispose]: dispose,
  }
}

/** Puts something in place of each `?` of a statement. Statements without values are left alone: a name may hold a question mark. */
export function replaceParameters(
  sql: string,
  values: readonly SqlValue[],
  write: (value: SqlValue, at: number) => string,
): string {
  let at = 0
  return values.length === 0 ? sql : sql.replaceAll('?', () => write(values[at] ?? null, at++))
}

/** A check of ‘Test connection’. */
export interface ConnectionCheck<Session> {
  readonly name: string
  run(session: Session): Promise<void>
}

/** Faults: every failure of the engine, classified by who must act. */

/**
 * - `settings`: an administrator must change something.
 * - `signIn`: the credentials were refused; a person must authorise again.
 * - `busy`: the rate budget is used up; wait for `waitMs`.
 * - `passing`: transient; retry with exponential backoff.
 * - `data`: a row cannot be stored.
 * - `bug`: stop; a developer must act.
 */
export type FaultKind = 'settings' | 'signIn' | 'busy' | 'passing' | 'data' | 'bug'

export interface FaultInit {
  /** A stable code for programs: `postgres.login_refused`. */
  readonly code: string
  /** For people: what is wrong and what to do. Contains no secret and no raw message of another system. */
  readonly notice: string
  readonly cause?: unknown
  /** Only for `busy`: how long to wait, in milliseconds. */
  readonly waitMs?: number
  /**
   * Only for `settings`: the field that must change, such as `cin7.accountId` or `source.connectionString.password`.
   */
  readonly field?: string
  /** SQL that fixes the fault when the database's owner runs it, ready to copy: the missing GRANT. */
  readonly remedy?: string
}

export class Fault extends Error {
  override readonly name = 'Fault'
  readonly kind: FaultKind
  readonly code: string
  readonly notice: string
  readonly waitMs: number | undefined
  readonly field: string | undefined
  readonly remedy: string | undefined

  constructor(kind: FaultKind, detail: FaultInit) {
    const notice = truncateNotice(detail.notice)
    super(notice, { cause: detail.cause })
    this.kind = kind
    this.code = detail.code
    this.notice = notice
    this.waitMs = detail.waitMs
    this.field = detail.field
    this.remedy = detail.remedy
  }
}

/** In characters. Notices go into emails, webhooks and `tributary_run`, whose sizes are limited. */
const noticeMaxLength = 4_000

function truncateNotice(notice: string): string {
  return notice.length <= noticeMaxLength ? notice : `${notice.slice(0, noticeMaxLength - 1).toWellFormed()}…`
}

/** A copy of the fault with a remedy; the fault itself if `remedy` is null. */
export function withRemedy(fault: Fault, remedy: string | null): Fault {
  const { kind, code, notice, cause } = fault
  return remedy === null ? fault : new Fault(kind, { code, notice, cause, remedy })
}

/** Turns an unexpected error into a `bug`. The notice does not repeat its message, which may contain a secret. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  return new Fault('bug', {
    code: 'engine.unexpected',
    notice: 'Something went wrong inside Tributary. The details are in the server log.',
    cause: error,
  })
}

interface DatabaseError {
  /** SQL Server. */
  readonly number?: unknown
  /** MySQL and MariaDB. */
  readonly errno?: unknown
  /** PostgreSQL's SQLSTATE. */
  readonly code?: unknown
}

/** The error number or SQLSTATE of a database server, also if a driver or a Fault wraps the error. */
export function databaseErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { number, errno, code } = error as DatabaseError
  if (typeof number === 'number') return String(number)
  // Negative numbers come from the operating system.
  if (typeof errno === 'number' && errno > 0) return String(errno)
  if (!(error instanceof Fault) && typeof code === 'string' && /^[0-9A-Z]{5}$/u.test(code) && /\d/u.test(code))
    return code
  return error.cause === undefined ? undefined : databaseErrorCode(error.cause)
}

/**
 * Classifies an error while a table or view is read. A server error that is not classified otherwise is caused by the
 * object, such as a division by zero in a view, so its owner must act. Other errors are returned unchanged.
 * @param prefix of the fault code: `postgres`
 */
export function toUnreadableFault(error: unknown, prefix: string): unknown {
  const isKnown = error instanceof Fault && error.kind !== 'bug' && error.kind !== 'data'
  const code = databaseErrorCode(error)
  if (isKnown || code === undefined || syntaxErrorCodes.has(code)) return error
  const reason = reasonByCode[code] === undefined ? `error ${code}` : `${reasonByCode[code]} (error ${code})`
  return new Fault('settings', {
    code: `${prefix}.object_unreadable`,
    notice: `The source cannot read it: ${reason}. The rows that the target has of it stay as they are. Correct it in the source, or take it off the list of tables. The server log has the source’s own message.`,
    cause: error instanceof Fault ? (error.cause ?? error) : error,
  })
}

/** Syntax errors: Tributary's own statement is wrong. */
const syntaxErrorCodes: ReadonlySet<string> = new Set(['42601', '1064', '102', '156'])

const reasonByCode: { readonly [code: string]: string | undefined } = {
  '22012': 'a division by zero',
  '8134': 'a division by zero',
  '1365': 'a division by zero',
  '22003': 'a number is out of range',
  '1690': 'a number is out of range',
  '8115': 'a number is out of range',
  '22P02': 'a text cannot be converted',
  '245': 'a text cannot be converted',
  '8114': 'a text cannot be converted',
  '55000': 'it holds no data yet',
  '1356': 'it names a table, column or function that is gone, or lacks a right to it',
  '1449': 'the user who defined it is gone',
  '1242': 'a subquery of it gives more than one row',
}

/** The six ways work fails, each named by who must act. */

/**
 * `settings`: an administrator must change something. `signIn`: the credentials were refused; somebody must
 * authorise again. `busy`: wait as long as told. `passing`: retry with back-off. `data`: a row cannot be placed.
 * `bug`: stop and wake a developer.
 */
export type FaultKind = 'settings' | 'signIn' | 'busy' | 'passing' | 'data' | 'bug'

export interface FaultInit {
  /** Stable, for programs: `postgres.login_refused`. */
  readonly code: string
  /** For people: what is wrong and what to do. Holds no secret and no text of a foreign system's banner. */
  readonly notice: string
  readonly cause?: unknown
  /** Only for `busy`: how long to wait, in milliseconds. */
  readonly waitMs?: number
  /** Only for `settings`: which one must change, `cin7.accountId` or `source.connectionString.password`. */
  readonly field?: string
  /** A statement by which the database's owner mends it, ready to copy: the GRANT that is missing. */
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

/** More than anybody reads. It goes into mails, messages and the target's own list of runs, which take only so much. */
const noticeMaxLength = 4_000

function truncateNotice(notice: string): string {
  return notice.length <= noticeMaxLength ? notice : `${notice.slice(0, noticeMaxLength - 1).toWellFormed()}…`
}

/** The same fault with the statement that mends it; as it was where there is none. */
export function withRemedy(fault: Fault, remedy: string | null): Fault {
  const { kind, code, notice, cause } = fault
  return remedy === null ? fault : new Fault(kind, { code, notice, cause, remedy })
}

/** What nobody foresaw is a bug: the notice says so without repeating a message that might hold a secret. */
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

/** The number or SQLSTATE that a database server gave an error, also where a driver or a Fault wraps it. */
export function databaseErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { number, errno, code } = error as DatabaseError
  if (typeof number === 'number') return String(number)
  // Negative: of the operating system.
  if (typeof errno === 'number' && errno > 0) return String(errno)
  if (!(error instanceof Fault) && typeof code === 'string' && /^[0-9A-Z]{5}$/u.test(code) && /\d/u.test(code))
    return code
  return error.cause === undefined ? undefined : databaseErrorCode(error.cause)
}

/**
 * An error of a server that reads a table or view: what it refuses for a reason that we do not know otherwise lies in the object (a division by
 * zero, a function that fails), so its owner must act.
 * @param prefix of the fault's code: `postgres`
 */
export function toUnreadableFault(error: unknown, prefix: string): unknown {
  const isKnown = error instanceof Fault && error.kind !== 'bug' && error.kind !== 'data'
  const code = databaseErrorCode(error)
  if (isKnown || code === undefined || syntaxErrorCodes.has(code)) return error
  const why = reasonByCode[code] === undefined ? `error ${code}` : `${reasonByCode[code]} (error ${code})`
  return new Fault('settings', {
    code: `${prefix}.object_unreadable`,
    notice: `The source cannot read it: ${why}. The rows that the target has of it stay as they are. Correct it in the source, or take it off the list of tables. The server log has the source’s own message.`,
    cause: error instanceof Fault ? (error.cause ?? error) : error,
  })
}

/** Errors of syntax: a statement of ours is wrong. */
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

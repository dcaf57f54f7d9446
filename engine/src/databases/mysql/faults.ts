/** Maps error numbers of MySQL and MariaDB to faults, by who must act. */
import { Fault, type FaultKind } from '../../ports/faults.ts'

interface DriverError {
  readonly errno?: number
  readonly code?: string
  readonly sqlState?: string
}

interface MysqlFaultRule {
  readonly kind: FaultKind
  readonly code: string
  readonly notice: string
  readonly waitMs?: number
}

const lost: MysqlFaultRule = {
  kind: 'passing',
  code: 'mysql.connection_lost',
  notice: 'The connection to the MySQL server was lost. It will be tried again.',
}
const denied: MysqlFaultRule = {
  kind: 'settings',
  code: 'mysql.right_missing',
  notice: 'The MySQL user lacks a right that is needed. Grant it what the help beside the user name says.',
}
const full: MysqlFaultRule = {
  kind: 'settings',
  code: 'mysql.disk_full',
  notice: 'The MySQL server has no space left. Free some, then run again.',
}
const changed: MysqlFaultRule = {
  kind: 'passing',
  code: 'mysql.changed_meanwhile',
  notice: 'A table or column was changed while it was read. It will be tried again.',
}
const tableRefused: MysqlFaultRule = {
  kind: 'settings',
  code: 'mysql.table_refused',
  notice:
    'The MySQL server cannot make the table as the source has it: its columns are too many or too wide, or MySQL cannot index its key. Leave columns out (‘Columns left out’), or take the table off the list. The server log has the server’s own message.',
}
export const unreadableView: MysqlFaultRule = {
  kind: 'settings',
  code: 'mysql.object_unreadable',
  notice:
    'The source cannot read this view: it names a table, column or function that is gone, or lacks a right to it. Correct or drop the view there, or take it off the list of tables.',
}
const signIn: MysqlFaultRule = {
  kind: 'signIn',
  code: 'mysql.login_refused',
  notice: 'The MySQL server refused the user name or password. Check both.',
}

/** Numbers: https://mariadb.com/kb/en/mariadb-error-code-reference/, the same in MySQL where both have them. */
const byNumber: { readonly [errno: number]: MysqlFaultRule } = {
  1044: {
    kind: 'settings',
    code: 'mysql.database_denied',
    notice: 'The MySQL user may not use this database. Grant it access, or choose another database.',
  },
  1045: signIn,
  1698: signIn,
  1049: {
    kind: 'settings',
    code: 'mysql.database_unknown',
    notice: 'The MySQL server has no database of that name. Check the database name.',
  },
  1040: {
    kind: 'busy',
    code: 'mysql.too_many_connections',
    notice: 'The MySQL server has no connection free. It will be tried again in a minute.',
    waitMs: 60_000,
  },
  1203: {
    kind: 'busy',
    code: 'mysql.too_many_connections',
    notice: 'The MySQL user has no connection free. It will be tried again in a minute.',
    waitMs: 60_000,
  },
  1226: {
    kind: 'busy',
    code: 'mysql.too_many_connections',
    notice: 'The MySQL user has used up its share. It will be tried again in a minute.',
    waitMs: 60_000,
  },
  1129: {
    kind: 'settings',
    code: 'mysql.host_blocked',
    notice: 'The MySQL server has blocked this host after failed connections. Run FLUSH HOSTS on it.',
  },
  1130: {
    kind: 'settings',
    code: 'mysql.host_refused',
    notice: 'The MySQL server does not allow connections from this host. Allow it for the user.',
  },
  1142: denied,
  1143: denied,
  1227: denied,
  1370: denied,
  1054: changed,
  1146: changed,
  1412: changed,
  1205: {
    kind: 'passing',
    code: 'mysql.lock_wait',
    notice: 'Another program held a lock for too long. It will be tried again.',
  },
  1213: {
    kind: 'passing',
    code: 'mysql.deadlock',
    notice: 'Another program and this sync waited for each other. It will be tried again.',
  },
  1969: {
    kind: 'passing',
    code: 'mysql.statement_too_slow',
    notice: 'The MySQL server stopped a statement that took too long. It will be tried again.',
  },
  3024: {
    kind: 'passing',
    code: 'mysql.statement_too_slow',
    notice: 'The MySQL server stopped a statement that took too long. It will be tried again.',
  },
  1021: full,
  1114: full,
  1053: lost,
  1927: lost,
  1290: {
    kind: 'settings',
    code: 'mysql.read_only',
    notice: 'This MySQL server only lets data be read. Name the primary server instead.',
  },
  1836: {
    kind: 'settings',
    code: 'mysql.read_only',
    notice: 'This MySQL server only lets data be read. Name the primary server instead.',
  },
  1356: unreadableView,
  1449: unreadableView,
  1005: tableRefused,
  1060: tableRefused,
  1070: tableRefused,
  1071: tableRefused,
  1103: tableRefused,
  1113: tableRefused,
  1117: tableRefused,
  1118: tableRefused,
  1166: tableRefused,
  1170: tableRefused,
  3152: tableRefused,
}

const byCode: { readonly [code: string]: MysqlFaultRule } = {
  PROTOCOL_CONNECTION_LOST: lost,
  ECONNRESET: lost,
  EPIPE: lost,
  ETIMEDOUT: {
    kind: 'passing',
    code: 'mysql.silent',
    notice: 'The server does not answer as MySQL does. Check host and port.',
  },
  HANDSHAKE_NO_SSL_SUPPORT: {
    kind: 'settings',
    code: 'mysql.no_tls',
    notice:
      'The MySQL server offers no encryption. Turn it on there, or choose "No encryption" if the network is trusted.',
  },
  HANDSHAKE_SSL_ERROR: {
    kind: 'settings',
    code: 'mysql.certificate_refused',
    notice:
      'The MySQL server’s certificate could not be verified. Install one of a known authority for this host name, or choose "Encrypt without verifying".',
  },
}

const unfitValue: MysqlFaultRule = {
  kind: 'data',
  code: 'mysql.misfit',
  notice: 'The MySQL server could not take a value. The details are in the server log.',
}
/** Numbers of unfit values whose SQLSTATE does not show it. */
const unfitValueNumbers: readonly (number | undefined)[] = [1300, 1366, 1411]

function isUnfitValue(errno: number | undefined, sqlState: string | undefined): boolean {
  return unfitValueNumbers.includes(errno) || /^(?:2[23]|01)/.test(sqlState ?? '')
}

export function mysqlFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  const { errno, code, sqlState } = error as DriverError
  const meaning = byNumber[errno ?? 0] ?? byCode[code ?? ''] ?? (isUnfitValue(errno, sqlState) ? unfitValue : undefined)
  if (meaning !== undefined) return new Fault(meaning.kind, { ...meaning, cause: error })
  return new Fault('bug', {
    code: `mysql.${errno ?? code ?? 'unexpected'}`,
    notice: `The MySQL server answered with an error that Tributary does not know (${errno ?? code ?? 'without a number'}). The details are in the server log.`,
    cause: error,
  })
}

export function errorNumber(error: unknown): number | undefined {
  const cause = error instanceof Fault ? error.cause : error
  return (cause as DriverError | undefined)?.errno
}

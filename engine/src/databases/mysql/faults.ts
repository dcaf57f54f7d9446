/** Maps error numbers of MySQL and MariaDB to faults, by who must act. */
import { Fault } from '../../ports/faults.ts'
import { faultByRule, type FaultRule, rulesByError } from '../../ports/fault-rules.ts'

interface DriverError {
  readonly errno?: number
  readonly code?: string
  readonly sqlState?: string
}

const unreadable: FaultRule = [
  'settings',
  'object_unreadable',
  'The source cannot read this view: it names a table, column or function that is gone, or lacks a right to it. Correct or drop the view there, or take it off the list of tables.',
  1356,
  1449,
]

export function unreadableView(): Fault {
  return faultByRule('mysql', unreadable, undefined)
}

/** Numbers: https://mariadb.com/kb/en/mariadb-error-code-reference/, the same in MySQL where both have them. */
const rules = rulesByError([
  [
    'settings',
    'database_denied',
    'The MySQL user may not use this database. Grant it access, or choose another database.',
    1044,
  ],
  ['signIn', 'login_refused', 'The MySQL server refused the user name or password. Check both.', 1045, 1698],
  ['settings', 'database_unknown', 'The MySQL server has no database of that name. Check the database name.', 1049],
  [
    'busy',
    'too_many_connections',
    'The MySQL server has no connection free. It will be tried again in a minute.',
    1040,
  ],
  ['busy', 'too_many_connections', 'The MySQL user has no connection free. It will be tried again in a minute.', 1203],
  ['busy', 'too_many_connections', 'The MySQL user has used up its share. It will be tried again in a minute.', 1226],
  [
    'settings',
    'host_blocked',
    'The MySQL server has blocked this host after failed connections. Run FLUSH HOSTS on it.',
    1129,
  ],
  [
    'settings',
    'host_refused',
    'The MySQL server does not allow connections from this host. Allow it for the user.',
    1130,
  ],
  [
    'settings',
    'right_missing',
    'The MySQL user lacks a right that is needed. Grant it what the help beside the user name says.',
    1142,
    1143,
    1227,
    1370,
  ],
  [
    'passing',
    'changed_meanwhile',
    'A table or column was changed while it was read. It will be tried again.',
    1054,
    1146,
    1412,
  ],
  ['passing', 'lock_wait', 'Another program held a lock for too long. It will be tried again.', 1205],
  ['passing', 'deadlock', 'Another program and this sync waited for each other. It will be tried again.', 1213],
  [
    'passing',
    'statement_too_slow',
    'The MySQL server stopped a statement that took too long. It will be tried again.',
    1969,
    3024,
  ],
  ['settings', 'disk_full', 'The MySQL server has no space left. Free some, then run again.', 1021, 1114],
  [
    'passing',
    'connection_lost',
    'The connection to the MySQL server was lost. It will be tried again.',
    1053,
    1927,
    'PROTOCOL_CONNECTION_LOST',
    'ECONNRESET',
    'EPIPE',
  ],
  ['settings', 'read_only', 'This MySQL server only lets data be read. Name the primary server instead.', 1290, 1836],
  unreadable,
  [
    'settings',
    'table_refused',
    'The MySQL server cannot make the table as the source has it: its columns are too many or too wide, or MySQL cannot index its key. Leave columns out (‘Columns left out’), or take the table off the list. The server log has the server’s own message.',
    1005,
    1060,
    1070,
    1071,
    1103,
    1113,
    1117,
    1118,
    1166,
    1170,
    3152,
  ],
  ['passing', 'silent', 'The server does not answer as MySQL does. Check host and port.', 'ETIMEDOUT'],
  [
    'settings',
    'no_tls',
    'The MySQL server offers no encryption. Turn it on there, or choose "No encryption" if the network is trusted.',
    'HANDSHAKE_NO_SSL_SUPPORT',
  ],
  [
    'settings',
    'certificate_refused',
    'The MySQL server’s certificate could not be verified. Install one of a known authority for this host name, or choose "Encrypt without verifying".',
    'HANDSHAKE_SSL_ERROR',
  ],
])

const unfitValue: FaultRule = [
  'data',
  'misfit',
  'The MySQL server could not take a value. The details are in the server log.',
]
/** Numbers of unfit values whose SQLSTATE does not show it. */
const unfitValueNumbers: readonly (number | undefined)[] = [1300, 1366, 1411]

function isUnfitValue(errno: number | undefined, sqlState: string | undefined): boolean {
  return unfitValueNumbers.includes(errno) || /^(?:2[23]|01)/.test(sqlState ?? '')
}

export function mysqlFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  const { errno, code, sqlState } = error as DriverError
  const rule = rules.get(errno) ?? rules.get(code) ?? (isUnfitValue(errno, sqlState) ? unfitValue : undefined)
  if (rule !== undefined) return faultByRule('mysql', rule, error, 60_000)
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

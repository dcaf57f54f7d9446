/** Maps error numbers of SQL Server and codes of its driver to faults, by who must act. */
import { Fault, type FaultKind } from '../../ports/faults.ts'

type SqlServerFaultRule = readonly [kind: FaultKind, code: string, notice: string]

const locked: SqlServerFaultRule = [
  'passing',
  'locked',
  'A table of the SQL Server is locked by another session. Trying again shortly.',
]
const throttled: SqlServerFaultRule = [
  'busy',
  'throttled',
  'The SQL Server is too busy just now. Trying again shortly.',
]
const full: SqlServerFaultRule = [
  'settings',
  'disk_full',
  'The SQL Server has no space left for the data or its log. Free some; the next run continues where this one stopped.',
]
const notAllowed: SqlServerFaultRule = [
  'settings',
  'not_allowed',
  'The user lacks a right in the SQL Server database. Grant it the rights that the documentation names.',
]
const changed: SqlServerFaultRule = [
  'passing',
  'changed',
  'A table or column of the SQL Server database was just dropped. Trying again with what is there now.',
]
const inUse: SqlServerFaultRule = [
  'settings',
  'in_use',
  'An index, constraint or view in the SQL Server database depends on a column that must change. Drop it, run again, and create it again.',
]
const noDatabase: SqlServerFaultRule = [
  'settings',
  'no_database',
  'The database cannot be opened with this login. Check its name, and that the user belongs to it.',
]
const starting: SqlServerFaultRule = [
  'busy',
  'starting',
  'The SQL Server or its database is starting up or being restored. Trying again shortly.',
]
const unplaceable: SqlServerFaultRule = [
  'data',
  'misfit',
  'The SQL Server could not take a value. The details are in the server log.',
]

/** https://learn.microsoft.com/sql/relational-databases/errors-events/database-engine-events-and-errors */
const byNumber: { readonly [number: number]: SqlServerFaultRule } = {
  18456: ['signIn', 'login_refused', 'The SQL Server refused the user name or the password. Enter them again.'],
  18470: ['signIn', 'login_refused', 'The SQL Server login is disabled. Have it enabled, or enter another.'],
  18486: ['signIn', 'login_refused', 'The SQL Server login is locked out. Have it unlocked, or enter another.'],
  18487: [
    'signIn',
    'login_refused',
    'The password of the SQL Server login has expired. Set a new one and enter it here.',
  ],
  18401: starting,
  17142: ['busy', 'paused', 'The SQL Server has been paused by its administrator. Trying again shortly.'],
  921: starting,
  922: starting,
  927: starting,
  18488: [
    'signIn',
    'login_refused',
    'The password of the SQL Server login must be changed. Set a new one and enter it here.',
  ],
  4060: noDatabase,
  4064: [
    'settings',
    'no_default_database',
    'The default database of this SQL Server login cannot be opened. Give the login another default database, or enter the database here.',
  ],
  916: [
    'settings',
    'no_user',
    'This SQL Server login has no user in the database. Create the user there, and grant it the rights that the documentation names.',
  ],
  40615: [
    'settings',
    'firewall',
    'The firewall of the Azure SQL server does not let this machine in. Add its address there.',
  ],
  40532: [
    'signIn',
    'login_refused',
    'The Azure SQL server cannot tell which server is meant. Check the host and the user name.',
  ],
  229: notAllowed,
  230: notAllowed,
  262: notAllowed,
  297: notAllowed,
  1088: notAllowed,
  2760: notAllowed,
  207: changed,
  208: changed,
  1205: ['passing', 'deadlock', 'Another program and this sync waited for each other. Trying again shortly.'],
  1222: locked,
  3960: locked,
  3906: [
    'settings',
    'read_only',
    'This SQL Server database only allows reading. Enter the address of the primary server.',
  ],
  1105: full,
  9002: full,
  40544: full,
  40613: ['busy', 'unavailable', 'The Azure SQL database is not available just now. Trying again shortly.'],
  10928: throttled,
  10929: throttled,
  40197: throttled,
  40501: throttled,
  49918: throttled,
  49919: throttled,
  49920: throttled,
  4922: inUse,
  5074: inUse,
  2627: unplaceable,
  2601: unplaceable,
  2628: unplaceable,
  8152: unplaceable,
  8115: unplaceable,
  245: unplaceable,
  8114: unplaceable,
  515: unplaceable,
}

const lost: SqlServerFaultRule = [
  'passing',
  'connection_lost',
  'The connection to the SQL Server was lost. Trying again shortly.',
]
const byCode: { readonly [code: string]: SqlServerFaultRule } = {
  ELOGIN: ['signIn', 'login_refused', 'The SQL Server refused the user name or the password. Enter them again.'],
  EENCRYPT: [
    'settings',
    'encryption',
    'The SQL Server and these settings disagree about encryption. Turn ‘Encrypt the connection’ on, or off for a server without it.',
  ],
  ETIMEOUT: ['passing', 'silent', 'The server does not answer as a SQL Server does. Check the host and the port.'],
  ESOCKET: lost,
  ECLOSE: lost,
  ECONNRESET: lost,
  EINVALIDSTATE: lost,
}

const certificate: SqlServerFaultRule = [
  'settings',
  'certificate',
  'The certificate of the SQL Server cannot be trusted. Install a valid one, or turn on ‘Trust the server’s certificate unseen’.',
]
const certificateText = /certificate|self.signed|unable to verify|altname/i
const busyWaitMs = 30_000

/** Converts an error of the driver or the server to a Fault. Returns any other error unchanged. */
export function sqlServerFault(error: unknown): unknown {
  const inner = findFault(error)
  if (inner !== null) return inner
  const verdict = verdictOf(error)
  if (verdict === null) return error
  const [kind, code, notice] = verdict
  const detail = { code: `sqlserver.${code}`, notice, cause: error }
  return new Fault(kind, kind === 'busy' ? { ...detail, waitMs: busyWaitMs } : detail)
}

/** The driver wraps Faults of the network. */
function findFault(error: unknown): Fault | null {
  if (error instanceof Fault) return error
  if (error instanceof AggregateError) return error.errors.map(findFault).find((fault) => fault !== null) ?? null
  return error instanceof Error && error.cause !== undefined ? findFault(error.cause) : null
}

function verdictOf(error: unknown): SqlServerFaultRule | null {
  if (!(error instanceof Error)) return null
  if (error instanceof AggregateError) return error.errors.map(verdictOf).find((verdict) => verdict !== null) ?? null
  const known = byNumber[errorNumber(error) ?? 0]
  if (known !== undefined) return known
  const { code } = error as Error & { code?: string }
  if (code === undefined) return null
  if (certificateText.test(error.message)) return certificate
  return byCode[code] ?? null
}

/** The error number of the server, also of an error that the driver has wrapped. */
export function errorNumber(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof AggregateError) return error.errors.map(errorNumber).find((number) => number !== undefined)
  const { number } = error as Error & { number?: number }
  return number ?? (error.cause === undefined ? undefined : errorNumber(error.cause))
}

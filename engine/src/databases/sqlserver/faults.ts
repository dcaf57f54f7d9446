/** Maps error numbers of SQL Server and codes of its driver to faults, by who must act. */
import { Fault } from '../../ports/faults.ts'
import { faultByRule, type FaultRule, rulesByError } from '../../ports/fault-rules.ts'

/** https://learn.microsoft.com/sql/relational-databases/errors-events/database-engine-events-and-errors */
const rules = rulesByError([
  [
    'signIn',
    'login_refused',
    'The SQL Server refused the user name or the password. Enter them again.',
    18456,
    'ELOGIN',
  ],
  ['signIn', 'login_refused', 'The SQL Server login is disabled. Have it enabled, or enter another.', 18470],
  ['signIn', 'login_refused', 'The SQL Server login is locked out. Have it unlocked, or enter another.', 18486],
  [
    'signIn',
    'login_refused',
    'The password of the SQL Server login has expired. Set a new one and enter it here.',
    18487,
  ],
  [
    'busy',
    'starting',
    'The SQL Server or its database is starting up or being restored. Trying again shortly.',
    18401,
    921,
    922,
    927,
  ],
  ['busy', 'paused', 'The SQL Server has been paused by its administrator. Trying again shortly.', 17142],
  [
    'signIn',
    'login_refused',
    'The password of the SQL Server login must be changed. Set a new one and enter it here.',
    18488,
  ],
  [
    'settings',
    'no_database',
    'The database cannot be opened with this login. Check its name, and that the user belongs to it.',
    4060,
  ],
  [
    'settings',
    'no_default_database',
    'The default database of this SQL Server login cannot be opened. Give the login another default database, or enter the database here.',
    4064,
  ],
  [
    'settings',
    'no_user',
    'This SQL Server login has no user in the database. Create the user there, and grant it the rights that the documentation names.',
    916,
  ],
  [
    'settings',
    'firewall',
    'The firewall of the Azure SQL server does not let this machine in. Add its address there.',
    40615,
  ],
  [
    'signIn',
    'login_refused',
    'The Azure SQL server cannot tell which server is meant. Check the host and the user name.',
    40532,
  ],
  [
    'settings',
    'not_allowed',
    'The user lacks a right in the SQL Server database. Grant it the rights that the documentation names.',
    229,
    230,
    262,
    297,
    1088,
    2760,
  ],
  [
    'passing',
    'changed',
    'A table or column of the SQL Server database was just dropped. Trying again with what is there now.',
    207,
    208,
  ],
  ['passing', 'deadlock', 'Another program and this sync waited for each other. Trying again shortly.', 1205],
  ['passing', 'locked', 'A table of the SQL Server is locked by another session. Trying again shortly.', 1222, 3960],
  [
    'settings',
    'read_only',
    'This SQL Server database only allows reading. Enter the address of the primary server.',
    3906,
  ],
  [
    'settings',
    'disk_full',
    'The SQL Server has no space left for the data or its log. Free some; the next run continues where this one stopped.',
    1105,
    9002,
    40544,
  ],
  ['busy', 'unavailable', 'The Azure SQL database is not available just now. Trying again shortly.', 40613],
  [
    'busy',
    'throttled',
    'The SQL Server is too busy just now. Trying again shortly.',
    10928,
    10929,
    40197,
    40501,
    49918,
    49919,
    49920,
  ],
  [
    'settings',
    'in_use',
    'An index, constraint or view in the SQL Server database depends on a column that must change. Drop it, run again, and create it again.',
    4922,
    5074,
  ],
  [
    'data',
    'misfit',
    'The SQL Server could not take a value. The details are in the server log.',
    2627,
    2601,
    2628,
    8152,
    8115,
    245,
    8114,
    515,
  ],
  [
    'settings',
    'encryption',
    'The SQL Server and these settings disagree about encryption. Turn ‘Encrypt the connection’ on, or off for a server without it.',
    'EENCRYPT',
  ],
  ['passing', 'silent', 'The server does not answer as a SQL Server does. Check the host and the port.', 'ETIMEOUT'],
  [
    'passing',
    'connection_lost',
    'The connection to the SQL Server was lost. Trying again shortly.',
    'ESOCKET',
    'ECLOSE',
    'ECONNRESET',
    'EINVALIDSTATE',
  ],
])

const certificate: FaultRule = [
  'settings',
  'certificate',
  'The certificate of the SQL Server cannot be trusted. Install a valid one, or turn on ‘Trust the server’s certificate unseen’.',
]
const certificateText = /certificate|self.signed|unable to verify|altname/i

/** Converts an error of the driver or the server to a Fault. Returns any other error unchanged. */
export function sqlServerFault(error: unknown): unknown {
  const inner = findFault(error)
  if (inner !== null) return inner
  const rule = ruleFor(error)
  return rule === null ? error : faultByRule('sqlserver', rule, error)
}

/** The driver wraps Faults of the network. */
function findFault(error: unknown): Fault | null {
  if (error instanceof Fault) return error
  if (error instanceof AggregateError) return error.errors.map(findFault).find((fault) => fault !== null) ?? null
  return error instanceof Error && error.cause !== undefined ? findFault(error.cause) : null
}

function ruleFor(error: unknown): FaultRule | null {
  if (!(error instanceof Error)) return null
  if (error instanceof AggregateError) return error.errors.map(ruleFor).find((rule) => rule !== null) ?? null
  const known = rules.get(errorNumber(error))
  if (known !== undefined) return known
  const { code } = error as Error & { code?: string }
  if (code === undefined) return null
  if (certificateText.test(error.message)) return certificate
  return rules.get(code) ?? null
}

/** The error number of the server, also of an error that the driver has wrapped. */
export function errorNumber(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof AggregateError) return error.errors.map(errorNumber).find((number) => number !== undefined)
  const { number } = error as Error & { number?: number }
  return number ?? (error.cause === undefined ? undefined : errorNumber(error.cause))
}

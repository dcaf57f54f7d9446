/** Maps errors of PostgreSQL to faults, by who must act. https://www.postgresql.org/docs/current/errcodes-appendix.html */
import { Fault } from '../../ports/faults.ts'
import { faultByRule, type FaultRule, rulesByError } from '../../ports/fault-rules.ts'

/** Which end of a sync the database is, for notices. */
export type SyncSide = 'source' | 'target'

const rules = rulesByError([
  ['signIn', 'login_refused', 'The {side} database refused the user name or the password. Enter them again.', '28P01'],
  [
    'signIn',
    'login_refused',
    'The {side} database does not let this user in from here. Check the user, its password and the server’s access rules (pg_hba.conf).',
    '28000',
  ],
  ['settings', 'no_database', 'The {side} server has no database of this name. Check the database.', '3D000'],
  [
    'settings',
    'not_allowed',
    'The user lacks a right in the {side} database. Grant it the rights that the documentation names.',
    '42501',
  ],
  ['settings', 'read_only', 'The {side} server only allows reading. Enter the address of the primary server.', '25006'],
  [
    'settings',
    'disk_full',
    'The disk of the {side} server is full. Free space there; the next run continues where this one stopped.',
    '53100',
  ],
  [
    'settings',
    'in_use',
    'Something in the {side} database depends on a column that must change. Drop the view or rule, run again, and create it again.',
    '0A000',
  ],
  [
    'settings',
    'in_use',
    'Something in the {side} database depends on a table that must change. Drop the view or rule, run again, and create it again.',
    '2BP01',
  ],
  ['busy', 'too_many_connections', 'The {side} server has no connection free. Trying again shortly.', '53300'],
  ['busy', 'starting', 'The {side} server is starting up. Trying again shortly.', '57P03'],
  ['passing', 'locked', 'A table in the {side} database is locked by another session. Trying again shortly.', '55P03'],
  ['passing', 'conflict', 'The {side} database asked to repeat the work. Trying again shortly.', '40001', '40P01'],
  ['passing', 'stopped', 'The {side} server stopped a statement. Trying again shortly.', '57014'],
  [
    'passing',
    'changed',
    'A table of the {side} database was just dropped. Trying again with what is there now.',
    '42P01',
  ],
  [
    'passing',
    'changed',
    'A column of the {side} database was just dropped. Trying again with what is there now.',
    '42703',
  ],
])

const certificate: FaultRule = [
  'settings',
  'certificate',
  'The certificate of the {side} server cannot be trusted. Install a valid one, or choose the TLS mode ‘require’, which does not check it.',
]
const noTls: FaultRule = [
  'settings',
  'no_tls',
  'The {side} server does not offer TLS. Turn it on there, or choose the TLS mode ‘disable’.',
]
const lost: FaultRule = [
  'passing',
  'connection_lost',
  'The connection to the {side} server was lost. Trying again shortly.',
]
const unplaceable: FaultRule = [
  'data',
  'data',
  'The {side} database could not take a value. The details are in the server log.',
]

/** 25P03, 57P05: the server ended a session that was silent for too long. */
const lostCodes = /^(08...|57P0[125]|25P03|58...|ECONN.*|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_STREAM.*)$/
const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/

/** Converts an error of the driver or the server to a Fault. Returns any other error unchanged. */
export function postgresFault(error: unknown, side: SyncSide): unknown {
  if (error instanceof Fault || !(error instanceof Error)) return error
  const rule = ruleFor(error)
  if (rule === null) return error
  const [kind, code, notice] = rule
  return faultByRule('postgres', [kind, code, notice.replace('{side}', side)], error)
}

/** The SQLSTATE, or the code of the socket. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

function ruleFor(error: Error): FaultRule | null {
  const code = errorCode(error)
  const known = rules.get(code)
  if (known !== undefined) return known
  if (lostCodes.test(code)) return lost
  if (certificateCodes.test(code)) return certificate
  if (/^2[123]/.test(code) || code.startsWith('54')) return unplaceable
  return ruleForMessage(error.message)
}

/** Errors of the driver have no code. */
function ruleForMessage(message: string): FaultRule | null {
  if (/does not support SSL/i.test(message)) return noTls
  // The driver refuses an empty password before the server does.
  if (message.startsWith('SASL:')) return rules.get('28P01') ?? null
  if (/Connection terminated|connection error|not queryable|Client was closed|timeout expired|aborted/i.test(message))
    return lost
  return null
}

/** Address and credentials of a PostgreSQL server: the fields of the form, and how they are parsed. */
import { Fault } from '../../ports/faults.ts'
import type { ConnectorSettingsField } from '../../ports/settings.ts'
import { databaseField, hostField, passwordField } from '../../ports/server-settings.ts'
import type { SyncSide } from './faults.ts'

export interface PostgresAddress {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  /** `require` encrypts without checking the certificate; `verify-full` checks it and the host name. */
  readonly sslmode: 'disable' | 'require' | 'verify-full'
}

export const addressFields: readonly ConnectorSettingsField[] = [
  hostField,
  { key: 'port', label: 'Port', kind: 'number', required: true, initial: 5432, bindsSecret: true },
  databaseField,
  { key: 'user', label: 'User', kind: 'text', required: true, bindsSecret: true },
  passwordField,
  {
    key: 'sslmode',
    label: 'TLS',
    kind: 'choice',
    required: true,
    initial: 'verify-full',
    bindsSecret: true,
    help: '‘verify-full’ checks the certificate and the host name. Choose ‘require’ only for a certificate that no authority has signed.',
    choices: [
      { value: 'verify-full', label: 'verify-full' },
      { value: 'require', label: 'require' },
      { value: 'disable', label: 'disable' },
    ],
  },
]

/** Throws a `settings` Fault that names the first wrong field. */
export function parseAddress(value: unknown, side: SyncSide): PostgresAddress {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const sslmode = fields['sslmode'] ?? 'verify-full'
  if (sslmode !== 'disable' && sslmode !== 'require' && sslmode !== 'verify-full')
    throw wrong(side, 'sslmode', 'Choose disable, require or verify-full.')
  return {
    host: text(fields, 'host', side),
    port: parsePort(fields['port'], side),
    database: text(fields, 'database', side),
    user: text(fields, 'user', side),
    password: typeof fields['password'] === 'string' ? fields['password'] : '',
    sslmode,
  }
}

function text(fields: Record<string, unknown>, key: string, side: SyncSide): string {
  const value = fields[key]
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  throw wrong(side, key, `Enter the ${key}.`)
}

function parsePort(value: unknown, side: SyncSide): number {
  const port = value === undefined || value === null || value === '' ? 5432 : Number(value)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw wrong(side, 'port', 'The port must be a whole number from 1 to 65535.')
}

function wrong(side: SyncSide, key: string, what: string): Fault {
  const notice = `The settings of the ${side} database are not complete. ${what}`
  return new Fault('settings', { code: 'postgres.settings', notice, field: `${side}.connectionString.${key}` })
}

/** Connection settings of a MySQL or MariaDB server, the same for source and target. */
import * as z from 'zod'
import type { ConnectorSettingsField } from '../../ports/settings.ts'
import { databaseField, hostField, parseFields, passwordField } from '../../ports/server-settings.ts'

export const reachFields: readonly ConnectorSettingsField[] = [
  hostField,
  { key: 'port', label: 'Port', kind: 'number', required: false, initial: 3306, bindsSecret: true },
  databaseField,
  { key: 'user', label: 'Username', kind: 'text', required: true, bindsSecret: true },
  passwordField,
  {
    key: 'tls',
    label: 'Encryption',
    kind: 'choice',
    required: false,
    initial: 'verify',
    bindsSecret: true,
    choices: [
      { value: 'verify', label: 'Encrypt and verify the server’s certificate' },
      { value: 'encrypt', label: 'Encrypt without verifying' },
      { value: 'off', label: 'No encryption' },
    ],
  },
]

const Reach = z.object({
  host: z.string().trim().min(1),
  port: z.coerce.number().int().min(1).max(65_535).default(3306),
  database: z.string().trim().min(1),
  user: z.string().trim().min(1),
  password: z.string(),
  tls: z.enum(['verify', 'encrypt', 'off']).default('verify'),
})
export type MysqlReach = z.infer<typeof Reach>

/** Throws a `settings` Fault that names the field. */
export function parseReach(value: unknown, property: string): MysqlReach {
  return parseFields(Reach, value, { property, fields: reachFields, code: 'mysql.settings_wrong' })
}

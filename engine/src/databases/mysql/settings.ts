/** Connection settings of a MySQL or MariaDB server, the same for source and target. */
import * as z from 'zod'
import { Fault } from '../../ports/faults.ts'
import type { ConnectorSettingsField } from '../../ports/settings.ts'

export const reachFields: readonly ConnectorSettingsField[] = [
  { key: 'host', label: 'Host', kind: 'text', required: true, placeholder: 'db.example.com', bindsSecret: true },
  { key: 'port', label: 'Port', kind: 'number', required: false, initial: 3306, bindsSecret: true },
  { key: 'database', label: 'Database', kind: 'text', required: true },
  { key: 'user', label: 'Username', kind: 'text', required: true, bindsSecret: true },
  { key: 'password', label: 'Password', kind: 'secret', required: true },
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
  const parsed = Reach.safeParse(dropEmpty(value))
  if (parsed.success) return parsed.data
  const key = String(parsed.error.issues[0]?.path[0] ?? '')
  const label = reachFields.find((field) => field.key === key)?.label ?? 'The connection'
  throw new Fault('settings', {
    code: 'mysql.settings_wrong',
    notice: `${label} is missing or not right (${property}${key === '' ? '' : `, ${key}`}). Fill it in and save again.`,
    field: `${property}.${key}`,
  })
}

/** A form sends an empty field as empty text; that is the same as an absent one. */
function dropEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== '' && field !== null))
}

/** Puts what a connection string says into the fields of a section. Pure. */
import type { FieldValue, Values } from '../../../ui/forms/form.ts'
import type { Connection } from './connection-string.ts'
import type { FormField } from '../form/settings-form.ts'

export interface Filled {
  readonly values: Values
  /** The labels of what was filled in, to be told. */
  readonly labels: readonly string[]
}

/** Whether these fields are those of a database that is reached by host and user. */
export function takesConnection(fields: readonly FormField[]): boolean {
  return fields.some(({ key }) => key === 'host' || key === 'data source')
}

/** What the string does not name stays as it is. */
export function fillConnection(fields: readonly FormField[], values: Values, connection: Connection): Filled {
  const found = fields.flatMap((field) => {
    const value = valueFor(field, connection)
    return value === undefined ? [] : [{ path: field.path, label: field.field.Label, value }]
  })
  return {
    values: { ...values, ...Object.fromEntries(found.map(({ path, value }) => [path, value])) },
    labels: found.map(({ label }) => label),
  }
}

function valueFor({ key, field }: FormField, connection: Connection): FieldValue | undefined {
  if (key === 'data source')
    return connection.port === undefined ? connection.host : `${connection.host},${connection.port}`
  if (key === 'sslmode' || key === 'tls') {
    const mode = connection.tlsMode ?? ''
    return field.Choices.find(({ Value }) => Value === mode || Value === tlsChoices[mode])?.Value
  }
  const name = parts[key]
  return name === undefined ? undefined : connection[name]
}

/** What each field takes, by its key in the catalogue. */
const parts: Readonly<Record<string, keyof Connection>> = {
  host: 'host',
  port: 'port',
  database: 'database',
  'initial catalog': 'database',
  user: 'user',
  'user id': 'user',
  password: 'password',
  encrypt: 'encrypt',
  trustServerCertificate: 'trust',
  multipleActiveResultSets: 'multiple',
}

/** MySQL's modes in the words of its form. `prefer` is left out: it would let the connection go unencrypted unseen. */
const tlsChoices: Readonly<Record<string, string>> = {
  disabled: 'off',
  disable: 'off',
  required: 'encrypt',
  require: 'encrypt',
  'verify-ca': 'verify',
  'verify-identity': 'verify',
}

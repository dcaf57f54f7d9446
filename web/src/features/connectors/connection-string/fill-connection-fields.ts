/** Copies the values of a connection string into the fields of a form section. Pure. */
import type { FieldValue, FormValues } from '../../../ui/forms/use-form.ts'
import type { ParsedConnection } from './connection-string.ts'
import type { ConnectorFormField } from '../form/settings-form.ts'

export interface FilledFields {
  readonly values: FormValues
  /** Labels of the filled fields, for the message to the user. */
  readonly labels: readonly string[]
}

/** True if the fields belong to a database that is reached by host and user. */
export function acceptsConnectionString(fields: readonly ConnectorFormField[]): boolean {
  return fields.some(({ key }) => key === 'host' || key === 'data source')
}

/** Leaves fields unchanged that the string does not name. */
export function fillConnectionFields(
  fields: readonly ConnectorFormField[],
  values: FormValues,
  connection: ParsedConnection,
): FilledFields {
  const found = fields.flatMap((field) => {
    const value = fieldValueFrom(field, connection)
    return value === undefined ? [] : [{ path: field.path, label: field.field.Label, value }]
  })
  return {
    values: { ...values, ...Object.fromEntries(found.map(({ path, value }) => [path, value])) },
    labels: found.map(({ label }) => label),
  }
}

function fieldValueFrom({ key, field }: ConnectorFormField, connection: ParsedConnection): FieldValue | undefined {
  if (key === 'data source')
    return connection.port === undefined ? connection.host : `${connection.host},${connection.port}`
  if (key === 'sslmode' || key === 'tls') {
    const mode = connection.tlsMode ?? ''
    return field.Choices.find(({ Value }) => Value === mode || Value === tlsChoices[mode])?.Value
  }
  const name = connectionProperties[key]
  return name === undefined ? undefined : connection[name]
}

/** The connection's property for each field, by its key in the catalogue. */
const connectionProperties: Readonly<Record<string, keyof ParsedConnection>> = {
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

/**
 * Maps MySQL's TLS modes to the choices of its form. `prefer` is left out: it would silently allow an unencrypted
 * connection.
 */
const tlsChoices: Readonly<Record<string, string>> = {
  disabled: 'off',
  disable: 'off',
  required: 'encrypt',
  require: 'encrypt',
  'verify-ca': 'verify',
  'verify-identity': 'verify',
}

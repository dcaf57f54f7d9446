/** The fields of every form of database credentials, with their rules and values. */
import type { TableSyncCredentials } from '@tributary/contract/table-sync'
import { secretMask } from '@tributary/contract/limits'
import { TextInput } from '@mantine/core'
import css from './database-credentials-fields.module.css'
import { SelectField, SecretField } from '../../ui/forms/choice-fields.tsx'
import { PasswordField, TextField } from '../../ui/forms/text-fields.tsx'
import type { BoundTextField, FormState, FieldRules, FormValues } from '../../ui/forms/use-form.ts'

const kinds = [
  { value: 'mssql', label: 'SQL Server' },
  { value: 'postgres', label: 'PostgreSQL' },
  { value: 'mysql', label: 'MySQL / MariaDB' },
]
const encryptions = [
  { value: 'verify', label: 'Encrypt and verify the server’s certificate' },
  { value: 'encrypt', label: 'Encrypt without verifying' },
  { value: 'off', label: 'No encryption' },
]

interface CredentialsFieldsProps {
  form: FormState
  /** With `confirm` the user enters the password twice; the form then needs a field `confirm`. */
  labels: { readonly database: string; readonly user: string; readonly confirm?: string }
}

export function CredentialsFields({ form, labels }: CredentialsFieldsProps) {
  const isMysql = form.values['connector'] === 'mysql'
  const schemaHelp = isMysql
    ? 'Used as a prefix of the table names, because MySQL has no schemas.'
    : 'Created if it does not exist.'
  return (
    <div className={css.fields}>
      <SelectField field={form.bind('connector')} label="Kind of database" choices={kinds} />
      <TextField
        field={form.bind('host')}
        label="Host"
        placeholder="db.example.com"
        help="Add the port if it is not the default one."
      />
      <TextField field={form.bind('database')} label={labels.database} />
      <TextField field={form.bind('schema')} label="Schema" help={schemaHelp} />
      <TextField field={form.bind('user')} label={labels.user} />
      {labels.confirm === undefined ? (
        <SecretField field={form.bind('password')} label="Password" mask={secretMask} />
      ) : (
        <>
          <SecretField field={withConfirm(form)} label="Password" mask={secretMask} />
          <ConfirmField form={form} label={labels.confirm} />
        </>
      )}
      <SelectField field={form.bind('encryption')} label="Encryption" choices={encryptions} />
    </div>
  )
}

/** A stored password needs no confirmation. Replacing it starts with both fields empty. */
function withConfirm(form: FormState): BoundTextField {
  const password = form.bind('password')
  return {
    ...password,
    onChange(value) {
      password.onChange(value)
      if (value === secretMask || password.value === secretMask) form.bind('confirm').onChange(value)
    },
  }
}

function ConfirmField({ form, label }: { form: FormState; label: string }) {
  if (form.values['password'] === secretMask)
    return <TextInput label={label} value={secretMask} readOnly aria-description="The stored password is kept." />
  return <PasswordField field={form.bind('confirm')} label={label} autoComplete="new-password" />
}

const requiredFields = ['host', 'database', 'user', 'password'] as const

/** Either all required fields are filled in or none. */
export function databaseFieldRules(values: FormValues): FieldRules {
  const isFilled = [...requiredFields, 'schema'].some((name) => values[name] !== '')
  const rules = Object.fromEntries(requiredFields.map((name) => [name, { isOptional: !isFilled }]))
  return { ...rules, schema: { isOptional: true }, confirm: confirmationRule(values) }
}

export function confirmationRule({ password }: FormValues): FieldRules[string] {
  return password === '' ? { isOptional: true } : { mustEqual: { name: 'password', placeholder: 'Password' } }
}

/** Picks the credentials from a form or from what is stored, which may have other fields. */
export function pickCredentials(values: FormValues | TableSyncCredentials): TableSyncCredentials {
  const { connector, host, database, schema, user, password, encryption } = values as TableSyncCredentials
  return { connector, host, database, schema, user, password, encryption }
}

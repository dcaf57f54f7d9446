/** Where a database is and who writes there: the fields of every form of credentials, and what they hold. */
import type { CredentialsInput } from '@tributary/contract/table-sync'
import { secretMask } from '@tributary/contract/limits'
import { TextInput } from '@mantine/core'
import css from './database-credentials-fields.module.css'
import { ChoiceField, SecretField } from '../../ui/forms/choice-fields.tsx'
import { PasswordField, TextField } from '../../ui/forms/text-fields.tsx'
import type { BoundText, Form, Rules, Values } from '../../ui/forms/form.ts'

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

interface DatabaseFieldsProps {
  form: Form
  /** With `confirm` the password is asked for twice: the form then has the field `confirm`, too. */
  labels: { readonly database: string; readonly user: string; readonly confirm?: string }
}

export function DatabaseFields({ form, labels }: DatabaseFieldsProps) {
  const isMysql = form.values['connector'] === 'mysql'
  const schemaHelp = isMysql
    ? 'Put before the names of the tables, for MySQL has no schemas.'
    : 'Made where it is missing.'
  return (
    <div className={css.fields}>
      <ChoiceField field={form.text('connector')} label="Kind of database" choices={kinds} />
      <TextField
        field={form.text('host')}
        label="Host"
        placeholder="db.example.com"
        help="With the port where it is not the usual one."
      />
      <TextField field={form.text('database')} label={labels.database} />
      <TextField field={form.text('schema')} label="Schema" help={schemaHelp} />
      <TextField field={form.text('user')} label={labels.user} />
      {labels.confirm === undefined ? (
        <SecretField field={form.text('password')} label="Password" mask={secretMask} />
      ) : (
        <>
          <SecretField field={withConfirm(form)} label="Password" mask={secretMask} />
          <ConfirmField form={form} label={labels.confirm} />
        </>
      )}
      <ChoiceField field={form.text('encryption')} label="Encryption" choices={encryptions} />
    </div>
  )
}

/** A stored password needs no confirming; one that takes its place begins with both fields empty. */
function withConfirm(form: Form): BoundText {
  const password = form.text('password')
  return {
    ...password,
    onChange(value) {
      password.onChange(value)
      if (value === secretMask || password.value === secretMask) form.text('confirm').onChange(value)
    },
  }
}

function ConfirmField({ form, label }: { form: Form; label: string }) {
  if (form.values['password'] === secretMask)
    return <TextInput label={label} value={secretMask} readOnly aria-description="The stored password stays." />
  return <PasswordField field={form.text('confirm')} label={label} autoComplete="new-password" />
}

const needed = ['host', 'database', 'user', 'password'] as const

/** All of it or nothing: half an address is a slip. */
export function allOrNothing(values: Values): Rules {
  const isFilled = [...needed, 'schema'].some((name) => values[name] !== '')
  const rules = Object.fromEntries(needed.map((name) => [name, { isOptional: !isFilled }]))
  return { ...rules, schema: { isOptional: true }, confirm: confirmRule(values) }
}

export function confirmRule({ password }: Values): Rules[string] {
  return password === '' ? { isOptional: true } : { repeats: { name: 'password', placeholder: 'Password' } }
}

export function databaseValues({ connector, host, database, schema, user, password, encryption }: CredentialsInput) {
  return { connector, host, database, schema, user, password, encryption }
}

/** Of a form that may have other fields, too. */
export function databaseInput(values: Values): CredentialsInput {
  const { connector, host, database, schema, user, password, encryption } = values
  return { connector, host, database, schema, user, password, encryption } as CredentialsInput
}

import type { DataServer } from '@tributary/contract/data-servers'
import { call } from '../../api/call.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { dataServerList } from '../../domain/data-servers/queries.ts'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { SelectField, SwitchField, TextareaField } from '../../ui/forms/choice-fields.tsx'
import { PasswordField, TextField } from '../../ui/forms/text-fields.tsx'
import { type FormState, type FormValues, useForm } from '../../ui/forms/use-form.ts'

interface DataServerDialogProps {
  /** Null to add a server. */
  server: DataServer | null
  onClose: () => void
}

const gigabyte = 2 ** 30
const optional = { isOptional: true }
const wholeNumber = {
  isOptional: true,
  check: (value: string) => (/^\d{1,7}$/u.test(value) ? null : 'must be a number'),
}

/** The address of the default server comes from the settings. */
export function DataServerDialog({ server, onClose }: DataServerDialogProps) {
  const hasAddress = server?.IsDefault !== true
  const form = useForm(initialValues(server ?? newServer), {
    region: optional,
    readerHost: optional,
    readerPort: wholeNumber,
    databasesMax: wholeNumber,
    sizeMaxGigabytes: wholeNumber,
    caCertificate: optional,
    ...(hasAddress ? {} : { host: optional, port: optional, database: optional, user: optional }),
    password: { isOptional: server !== null },
  })
  const save = useSaveServer(server, onClose)
  function submit() {
    if (!form.validate()) return
    save.mutate(form.values, { onError: (error) => form.showErrors(fieldErrorsOf(error)) })
  }
  return (
    <MutationDialog
      title={server === null ? 'Add server' : `Edit ${server.Name}`}
      isDirty={form.isDirty}
      mutation={save}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Save"
    >
      <TextField field={form.bind('name')} label="Name" hasFocus isRequired />
      <TextField field={form.bind('region')} label="Region" help="As you name it to customers, such as Dublin." />
      {hasAddress ? <AddressFields form={form} isNew={server === null} /> : null}
      <TextField
        field={form.bind('readerHost')}
        label="Host for reports"
        help="If reports connect to another address, such as that of a proxy."
      />
      <TextField field={form.bind('readerPort')} label="Port for reports" inputMode="numeric" />
      <TextField
        field={form.bind('databasesMax')}
        label="Most warehouses"
        help="Empty: no limit."
        inputMode="numeric"
      />
      <TextField
        field={form.bind('sizeMaxGigabytes')}
        label="Most gigabytes"
        help="Of all its warehouses. Empty: no limit."
        inputMode="numeric"
      />
      <SwitchField field={form.bindSwitch('acceptsNew')} label="Accepts new warehouses" />
    </MutationDialog>
  )
}

function AddressFields({ form, isNew }: { form: FormState; isNew: boolean }) {
  return (
    <>
      <TextField field={form.bind('host')} label="Host" isRequired />
      <TextField field={form.bind('port')} label="Port" isRequired inputMode="numeric" />
      <TextField field={form.bind('database')} label="Database" help="One in which the role may sign in." isRequired />
      <TextField field={form.bind('user')} label="Role" help="It needs CREATEDB and CREATEROLE." isRequired />
      <PasswordField
        field={form.bind('password')}
        label="Password"
        help={isNew ? undefined : 'Leave it empty to keep the stored one.'}
        isRequired={isNew}
        autoComplete="new-password"
      />
      <SelectField
        field={form.bind('tls')}
        label="Encryption"
        choices={[
          { value: 'verified', label: 'TLS, with a certificate that is checked' },
          { value: 'on', label: 'TLS, with any certificate' },
          { value: 'off', label: 'Off' },
        ]}
      />
      <TextareaField
        field={form.bind('caCertificate')}
        label="Certificate authority"
        help="In PEM, if public authorities have not signed the certificate."
      />
    </>
  )
}

type EditedServer = Omit<
  DataServer,
  'Id' | 'IsDefault' | 'Databases' | 'SizeBytes' | 'CheckedAtUtc' | 'UnreachableSinceUtc'
>

const newServer: EditedServer = {
  Name: '',
  Region: null,
  Host: '',
  Port: 5432,
  Database: 'postgres',
  User: null,
  Tls: 'verified',
  CaCertificate: null,
  ReaderHost: null,
  ReaderPort: null,
  AcceptsNew: true,
  DatabasesMax: null,
  SizeMaxBytes: null,
}

function textOf(value: string | number | null): string {
  return String(value ?? '')
}

function initialValues(server: EditedServer): FormValues {
  return {
    name: server.Name,
    region: textOf(server.Region),
    host: server.Host,
    port: textOf(server.Port),
    database: textOf(server.Database),
    user: textOf(server.User),
    password: '',
    tls: server.Tls,
    caCertificate: textOf(server.CaCertificate),
    readerHost: textOf(server.ReaderHost),
    readerPort: textOf(server.ReaderPort),
    databasesMax: textOf(server.DatabasesMax),
    sizeMaxGigabytes: server.SizeMaxBytes === null ? '' : textOf(Math.round(server.SizeMaxBytes / gigabyte)),
    acceptsNew: server.AcceptsNew,
  }
}

function inputOf(values: FormValues) {
  const text = (name: string) => String(values[name]).trim()
  const orNull = (name: string) => (text(name) === '' ? null : text(name))
  const number = (name: string) => (text(name) === '' ? null : Number(text(name)))
  const size = number('sizeMaxGigabytes')
  return {
    common: {
      name: text('name'),
      region: orNull('region'),
      readerHost: orNull('readerHost'),
      readerPort: number('readerPort'),
      acceptsNew: values['acceptsNew'] === true,
      databasesMax: number('databasesMax'),
      sizeMaxBytes: size === null ? null : size * gigabyte,
    },
    address: {
      host: text('host'),
      port: Number(text('port')),
      database: text('database'),
      user: text('user'),
      tls: values['tls'] as DataServer['Tls'],
      caCertificate: orNull('caCertificate'),
    },
    password: String(values['password']),
  }
}

function useSaveServer(server: DataServer | null, onSaved: () => void) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (values: FormValues) => {
      const { common, address, password } = inputOf(values)
      if (server === null)
        return call('POST /admin/data-servers', { body: { ...common, address: { ...address, password } } })
      const changed = { ...address, ...(password !== '' && { password }) }
      return call('PUT /admin/data-servers/:serverId', {
        params: { serverId: server.Id },
        body: { ...common, ...(!server.IsDefault && { address: changed }) },
      })
    },
    onSuccess: async (saved) => {
      await invalidate(dataServerList)
      announceToScreenReader(`${saved.Name} is saved.`)
      onSaved()
    },
  })
}

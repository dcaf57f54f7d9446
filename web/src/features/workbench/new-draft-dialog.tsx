/** Begins a draft: from a document of the API, or with an empty text. The draft is saved at once. */
import { Button, Textarea } from '@mantine/core'
import { nameMax, workbenchLimits } from '@tributary/contract/limits'
import { CallError } from '@tributary/client/call-error'
import { useRef, useState } from 'react'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { SelectField } from '../../ui/forms/choice-fields.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { type FormState, type FormValues, useForm } from '../../ui/forms/use-form.ts'
import { commonFieldProps } from '../../ui/forms/text-fields.tsx'
import { createDescription, type DraftBeginning, type NewDescription } from './api.ts'
import css from './workbench.module.css'

const beginnings = [
  { value: 'openapi', label: 'OpenAPI or Swagger file' },
  { value: 'metadata', label: '$metadata of an OData service' },
  { value: 'sample', label: 'Sample reply' },
  { value: 'empty', label: 'Empty text' },
]

interface NewDraftDialogProps {
  readonly onClose: () => void
  readonly onCreated: (created: NewDescription) => void
}

export function NewDraftDialog({ onClose, onCreated }: NewDraftDialogProps) {
  const form = useForm({ name: '', kind: 'openapi', address: '', text: '' }, rulesOf)
  const write = useMutation({
    mutationFn: () => createDescription(form.values as unknown as DraftBeginning),
    onSuccess: onCreated,
    onError: (error: Error) => error instanceof CallError && form.showErrors(error.fields),
  })
  const { kind } = form.values
  return (
    <MutationDialog
      title="New draft"
      kind="wide drawer"
      mutation={write}
      isDirty={form.isDirty}
      onClose={onClose}
      onSubmit={() => {
        if (form.validate()) write.mutate()
      }}
      submitLabel="Write the draft"
    >
      <TextField field={form.bind('name')} label="Name" placeholder="Orchard" hasFocus isRequired />
      <SelectField field={form.bind('kind')} label="Begin with" choices={beginnings} isRequired />
      {kind === 'empty' ? null : <DocumentFields form={form} />}
    </MutationDialog>
  )
}

const rulesOf = ({ kind }: FormValues) => ({
  name: { check: checkName },
  address: { isOptional: kind !== 'sample', check: checkAddress },
  text: { isOptional: kind === 'empty' },
})

function checkName(name: string): string | null {
  return name.trim().length <= nameMax ? null : `Use at most ${nameMax} characters.`
}

function checkAddress(address: string): string | null {
  return URL.parse(address)?.protocol.startsWith('http') === true
    ? null
    : 'Enter an address such as https://api.example.com/v1/orders?limit=100.'
}

const documents: Readonly<Record<string, { readonly label: string; readonly address: string }>> = {
  openapi: { label: 'OpenAPI file', address: 'Where the API is. Only needed if the file does not say it.' },
  metadata: { label: '$metadata document', address: 'The address of the service, without $metadata.' },
  sample: {
    label: 'Sample reply',
    address: 'What the reply was read from, with its parameters. Paging and changes are guessed from them.',
  },
}

function DocumentFields({ form }: { readonly form: FormState }) {
  const { label = '', address } = documents[String(form.values['kind'])] ?? {}
  return (
    <>
      <TextField
        field={form.bind('address')}
        label="Address"
        placeholder="https://api.example.com/v1/orders?limit=100"
        help={address}
        isRequired={form.values['kind'] === 'sample'}
      />
      <DocumentField form={form} label={label} />
    </>
  )
}

/** Pasted, or from a file. A field with megabytes would be slow, so a large file is shown by its name only. */
function DocumentField({ form, label }: { readonly form: FormState; readonly label: string }) {
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<string | null>(null)
  const field = form.bind('text')
  const isLarge = field.value.length > pastedMax
  const read = async (chosen: File) => {
    if (chosen.size > workbenchLimits.documentMax) {
      form.showErrors({ text: tooLarge(chosen) })
      return
    }
    field.onChange(await chosen.text())
    setFile(chosen.name)
  }
  return (
    <>
      <Textarea
        {...commonFieldProps({ field, label, isRequired: true, help: 'Paste it, or choose the file.' })}
        {...(isLarge && { value: `${file ?? label}, ${field.value.length} characters`, readOnly: true })}
        rows={8}
        wrap="off"
        spellCheck={false}
        classNames={{ input: css.code ?? '' }}
      />
      <div className={css.buttons}>
        <Button variant="default" onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        {isLarge ? (
          <Button variant="subtle" onClick={() => field.onChange('')}>
            Remove it
          </Button>
        ) : null}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,.yaml,.yml,.xml,.txt"
        aria-label="File with the document"
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? []
          if (chosen !== undefined) void read(chosen)
          // Reset, so that the same file can be chosen again after it was changed.
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

const pastedMax = 200_000

function tooLarge({ name, size }: File): string {
  return `${name} has ${size} bytes, and a document may have ${workbenchLimits.documentMax}. Keep only the lists that you need.`
}

/** The form for the usual case of a REST API. It writes the beginning of a description. */
import { Button } from '@mantine/core'
import { SelectField, TextareaField } from '../../../ui/forms/choice-fields.tsx'
import { TextField } from '../../../ui/forms/text-fields.tsx'
import { type FormState, type FormValues, useForm } from '../../../ui/forms/use-form.ts'
import css from './description.module.css'
import { type DescriptionDraftValues, draftDescription } from './draft-description.ts'

const initial = {
  address: '',
  signIn: 'bearer',
  header: '',
  table: '',
  path: '',
  records: '',
  key: 'id',
  columns: 'id bigint',
  paging: 'none',
  pageBy: '',
  sizeBy: '',
  stable: '',
}

const signIns = [
  { value: 'bearer', label: 'Bearer token' },
  { value: 'apiKey', label: 'Key in a header' },
  { value: 'basic', label: 'User and password' },
]
const pagings = [
  { value: 'none', label: 'The reply has all records' },
  { value: 'nextLink', label: 'The reply has the address of the next page' },
  { value: 'pageNumber', label: 'Pages have numbers' },
]

const rulesOf = ({ signIn, paging, sizeBy }: FormValues) => ({
  header: { isOptional: signIn !== 'apiKey' },
  records: { isOptional: true },
  pageBy: { isOptional: paging === 'none' },
  sizeBy: { isOptional: true },
  stable: { isOptional: paging !== 'pageNumber' || sizeBy !== '' },
  address: { check: checkAddress },
})

function checkAddress(value: string): string | null {
  return URL.parse(value)?.protocol.startsWith('http') === true
    ? null
    : 'Enter an address such as https://api.example.com/v1/.'
}

export function DescriptionDraft({ onDraft }: { readonly onDraft: (text: string) => void }) {
  const form = useForm(initial, rulesOf)
  const { signIn } = form.values
  return (
    <div className={css.draft}>
      <TextField
        field={form.bind('address')}
        label="Address of the API"
        placeholder="https://api.example.com/v1/"
        isRequired
      />
      <SelectField field={form.bind('signIn')} label="Sign-in of the API" choices={signIns} isRequired />
      {signIn === 'apiKey' ? (
        <TextField field={form.bind('header')} label="Header" placeholder="x-api-key" isRequired />
      ) : null}
      <TableFields form={form} />
      <div>
        <Button
          variant="default"
          onClick={() => {
            if (form.validate()) onDraft(draftDescription(form.values as unknown as DescriptionDraftValues))
          }}
        >
          Write the description
        </Button>
      </div>
    </div>
  )
}

function TableFields({ form }: { readonly form: FormState }) {
  const { paging } = form.values
  return (
    <>
      <TextField
        field={form.bind('table')}
        label="Table"
        placeholder="order"
        help="Its name in your target."
        isRequired
      />
      <TextField
        field={form.bind('path')}
        label="Path of the list"
        placeholder="orders"
        help="Below the address of the API."
        isRequired
      />
      <TextField
        field={form.bind('records')}
        label="Records"
        placeholder="/data"
        help="Where the list is in a reply, as a JSON Pointer. Empty: the reply is the list."
      />
      <SelectField field={form.bind('paging')} label="Pages" choices={pagings} isRequired />
      {paging === 'none' ? null : (
        <TextField
          field={form.bind('pageBy')}
          label={paging === 'nextLink' ? 'Address of the next page' : 'Parameter with the number'}
          placeholder={paging === 'nextLink' ? '/next' : 'page'}
          isRequired
        />
      )}
      {paging === 'pageNumber' ? <NumberedPageFields form={form} /> : null}
      <TextField field={form.bind('key')} label="Key" help="The column that identifies a row." isRequired />
      <TextareaField
        field={form.bind('columns')}
        label="Columns"
        placeholder={'id bigint\namount decimal(19,4)'}
        help="One a line: the name and the type, such as text, bigint, decimal, date or instant(3)."
        isRequired
      />
    </>
  )
}

/** With pages of one size, records that move to another page while the list is read are noticed. */
function NumberedPageFields({ form }: { readonly form: FormState }) {
  return (
    <>
      <TextField
        field={form.bind('sizeBy')}
        label="Parameter with the size of a page"
        placeholder="per_page"
        help="With it, pages have 100 records, and a read notices records that move to another page."
      />
      {form.values['sizeBy'] === '' ? (
        <TextField
          field={form.bind('stable')}
          label="Why no record moves to another page"
          placeholder="The list is sorted by id, and no record is deleted."
          help="Needed without the parameter above, because a record that moves would be missed."
          isRequired
        />
      ) : null}
    </>
  )
}

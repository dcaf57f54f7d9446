/** Erases a person in history: find the row versions, choose columns, confirm; and the list of earlier erasures. */
import type { StreamHistory } from '@tributary/contract/history'
import type { ErasurePreview } from '@tributary/contract/history-erasures'
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { fieldErrorsOf } from '../../../domain/requests/field-errors.ts'
import { MutationError } from '../../../domain/requests/mutation-error.tsx'
import { TextField } from '../../../ui/forms/text-fields.tsx'
import { useForm } from '../../../ui/forms/use-form.ts'
import { CollapsibleSection } from '../../../ui/layout/collapsible-section.tsx'
import css from '../runs.module.css'
import { type PersonBody, usePreviewErasure } from './erasure-api.ts'
import { ErasureList } from './erasure-list.tsx'
import { FoundPerson } from './found-person.tsx'

interface ErasePersonProps {
  readonly ids: ConnectorParams
  readonly streams: readonly StreamHistory[]
}

export function ErasePerson({ ids, streams }: ErasePersonProps) {
  const kept = streams.filter(({ Histories }) => Histories.length > 0)
  const [found, setFound] = useState<{ readonly person: PersonBody; readonly preview: ErasurePreview } | null>(null)
  if (kept.length === 0) return null
  return (
    <CollapsibleSection title="Erase a person" summary="In all row versions and marked views">
      <div className={css.history}>
        <p>
          Texts of a person are cleared in every row version, so that marked views show them empty. Amounts, keys and
          dates stay. The tables themselves do not change: erase the person in the source first, and run the connector,
          or a later run keeps new versions with their data.
        </p>
        <PersonForm ids={ids} streams={kept} onFound={(person, preview) => setFound({ person, preview })} />
        {found === null ? null : (
          <FoundPerson
            key={JSON.stringify(found.person)}
            ids={ids}
            person={found.person}
            preview={found.preview}
            onStarted={() => setFound(null)}
          />
        )}
        <ErasureList ids={ids} />
      </div>
    </CollapsibleSection>
  )
}

interface PersonFormProps extends ErasePersonProps {
  readonly onFound: (person: PersonBody, preview: ErasurePreview) => void
}

function PersonForm({ ids, streams, onFound }: PersonFormProps) {
  const [stream, setStream] = useState(streams[0]?.Stream ?? '')
  const form = useForm({ column: '', value: '' })
  const preview = usePreviewErasure(ids)
  return (
    <form
      noValidate
      className={css.history}
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.validate()) return
        const text = (name: string) => String(form.values[name] ?? '').trim()
        const person = { stream, column: text('column'), value: text('value') }
        preview.mutate(person, {
          onSuccess: (result) => onFound(person, result),
          onError: (error) => form.showErrors(fieldErrorsOf(error)),
        })
      }}
    >
      <MutationError of={preview} />
      <NativeSelect
        label="Table of the person"
        value={stream}
        data={streams.map(({ Stream, Table }) => ({ value: Stream, label: Table }))}
        onChange={({ currentTarget }) => setStream(currentTarget.value)}
      />
      <TextField
        field={form.bind('column')}
        label="Column that identifies the person"
        help="The key, such as contact_id, also finds rows of other tables that refer to it. Or another column, such as email."
        isRequired
      />
      <TextField
        field={form.bind('value')}
        label="Value"
        help="Rows that have or had this value are found, with all their versions. It is not kept."
        isRequired
      />
      <div>
        <Button type="submit" variant="default" loading={preview.isPending}>
          Find row versions
        </Button>
      </div>
    </form>
  )
}

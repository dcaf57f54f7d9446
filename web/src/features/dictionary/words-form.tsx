/** Edits an administrator's words in place. */
import { dictionaryWordsMax } from '@tributary/contract/limits'
import { Button, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { focusOnMount } from '../../ui/hooks/focus-on-mount.ts'
import css from './dictionary.module.css'
import { dictionaryKey, type TableKey } from './dictionary-queries.ts'

interface WordsFormProps {
  opened: TableKey
  /** Null: about the table. */
  column: string | null
  words: string | null
  onClose: () => void
}

export function WordsForm({ opened, column, words, onClose }: WordsFormProps) {
  const organisationId = useOrganisationId()
  const queries = useQueryClient()
  const [text, setText] = useState(words ?? '')
  const saving = useMutation({
    mutationFn: () =>
      call('PUT /tributary/clients/:clientId/connectors/:connectorId/dictionary', {
        params: { clientId: organisationId, connectorId: opened.connectorId },
        query: { table: opened.table },
        body: { column, words: text },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: dictionaryKey(organisationId) })
      onClose()
    },
  })
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Textarea
        label={`Your words about ${column ?? opened.table}`}
        description="Everyone who may read the table sees them, and the next run writes them as a comment into the target. Formatting is shown as typed."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maxLength={dictionaryWordsMax}
        rows={4}
        ref={focusOnMount}
      />
      <MutationError of={saving} />
      <div className={css.bar}>
        <Button type="submit" loading={saving.isPending}>
          Save
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

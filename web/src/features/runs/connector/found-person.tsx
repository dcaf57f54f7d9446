/** What an erasure concerns: row versions by table, columns to choose, marks; and its confirmation. */
import type { ErasurePreview } from '@tributary/contract/history-erasures'
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { MutationDialog } from '../../../domain/requests/mutation-dialog.tsx'
import { Callout } from '../../../ui/feedback/callout.tsx'
import { formatCount } from '../../../ui/formats.ts'
import css from '../runs.module.css'
import { type PersonBody, useErasePerson } from './erasure-api.ts'

interface FoundPersonProps {
  readonly ids: ConnectorParams
  readonly person: PersonBody
  readonly preview: ErasurePreview
  readonly onStarted: () => void
}

const versionsOf = (count: number) => `${formatCount(count)} row ${count === 1 ? 'version' : 'versions'}`

export function FoundPerson({ ids, person, preview: { Tables, Current, Marks }, onStarted }: FoundPersonProps) {
  const [columns, setColumns] = useState(
    new Map(
      Tables.map(({ Table, Columns }) => [Table, Columns.flatMap((each) => (each.IsProposed ? [each.Name] : []))]),
    ),
  )
  const [isConfirming, setConfirming] = useState(false)
  const total = Tables.reduce((sum, { Versions }) => sum + Versions, 0)
  if (total === 0)
    return (
      <Callout tone="info">No row version has or had this value. Check the table, the column and the spelling.</Callout>
    )
  const chosen = Object.fromEntries([...columns].filter(([, names]) => names.length > 0))
  return (
    <>
      {Current === 0 ? null : (
        <Callout tone="warn">
          {`The source still had ${formatCount(Current)} ${Current === 1 ? 'row' : 'rows'} of the person at the last run. Their data returns with a later run unless it is erased there, too.`}
        </Callout>
      )}
      {Tables.filter(({ Versions }) => Versions > 0).map(({ Table, Name, Versions, Columns }) => (
        <fieldset key={Table} className={css.erasedTable}>
          <legend>{`${Name}: ${versionsOf(Versions)}`}</legend>
          {Columns.length === 0 ? <p>It has no texts that can be cleared.</p> : null}
          {Columns.map((column) => (
            <Checkbox
              key={column.Name}
              label={column.Name}
              checked={columns.get(Table)?.includes(column.Name) === true}
              onChange={({ currentTarget }) => {
                const others = (columns.get(Table) ?? []).filter((name) => name !== column.Name)
                setColumns(new Map(columns).set(Table, currentTarget.checked ? [...others, column.Name] : others))
              }}
            />
          ))}
        </fieldset>
      ))}
      <p>
        {Marks.length === 0
          ? 'No mark shows them.'
          : `Marks that show them: ${Marks.map(({ Name, Versions }) => `${Name} (${versionsOf(Versions)})`).join(', ')}. The erasure is noted on them.`}
      </p>
      <div>
        <Button color="red" disabled={Object.keys(chosen).length === 0} onClick={() => setConfirming(true)}>
          Erase the chosen columns
        </Button>
      </div>
      {isConfirming ? (
        <ConfirmErasure
          ids={ids}
          body={{ ...person, columns: chosen }}
          onStarted={onStarted}
          onClose={() => setConfirming(false)}
        />
      ) : null}
    </>
  )
}

interface ConfirmErasureProps {
  readonly ids: ConnectorParams
  readonly body: PersonBody & { readonly columns: Record<string, string[]> }
  readonly onStarted: () => void
  readonly onClose: () => void
}

function ConfirmErasure({ ids, body, onStarted, onClose }: ConfirmErasureProps) {
  const erase = useErasePerson(ids, onStarted)
  return (
    <MutationDialog
      mutation={erase}
      title="Erase a person in history"
      onClose={onClose}
      onSubmit={() => erase.mutate(body)}
      submitLabel="Erase"
      isDanger
    >
      <p>These columns are cleared in every row version of the person:</p>
      <ul>
        {Object.entries(body.columns).map(([table, names]) => (
          <li key={table}>
            <strong>{table}</strong>
            {`: ${names.join(', ')}`}
          </li>
        ))}
      </ul>
      <p>This cannot be undone. If a marked trial balance would change, nothing is erased, and the run says so.</p>
    </MutationDialog>
  )
}

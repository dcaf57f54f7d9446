/** Example values of the columns of a table. They are read from the warehouse after the description, which needs no warehouse. */
import { CallError, messageOf } from '@tributary/client/call-error'
import type { ColumnExamples, ExampleGap } from '@tributary/contract/data'
import type { DictionaryColumn, DictionaryTable } from '@tributary/contract/dictionary'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import type { TableColumn } from '../../ui/tables/data-table.tsx'
import css from './dictionary.module.css'
import { tableExamples } from './dictionary-queries.ts'

export interface Examples {
  /** Undefined while they are loading; null: there are none. */
  readonly columns: readonly ColumnExamples[] | null | undefined
  readonly error: Error | null
  readonly retry: () => void
}

export function useExamples(table: DictionaryTable): Examples {
  const query = useQuery(tableExamples(useOrganisationId(), table))
  const error = query.data === undefined ? query.error : null
  return {
    columns: error === null && table.Schema !== '' ? query.data : null,
    error,
    retry: () => void query.refetch(),
  }
}

export function exampleColumn({ columns }: Examples): readonly TableColumn<DictionaryColumn>[] {
  if (columns === null) return []
  return [
    {
      title: 'Example',
      cell: ({ Name }) => {
        if (columns === undefined) return <span className="muted">Loading…</span>
        return <ExampleValues of={columns.find((column) => column.Name === Name)} />
      },
    },
  ]
}

const gaps: Readonly<Record<ExampleGap, string>> = {
  secret: 'Not shown: may be a secret',
  binary: 'Not shown: binary',
  document: 'Not shown: JSON',
  empty: 'Empty in the first rows',
}

function ExampleValues({ of }: { of: ColumnExamples | undefined }) {
  if (of === undefined) return <span className="muted">Not in the warehouse yet</span>
  if (of.Gap !== null) return <span className="muted">{gaps[of.Gap]}</span>
  return (
    <ul className={css.examples}>
      {of.Examples.map((value) => (
        <li key={value}>
          <bdi>{value}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** Says why there are no examples. */
export function ExamplesNote({ of: { columns, error, retry } }: { of: Examples }) {
  if (columns !== null) return null
  if (error === null || (error instanceof CallError && error.statusCode === 404))
    return (
      <p className="muted">
        There are no examples: they are read from the warehouse, which has no table of this connector with this name
        that you may read.
      </p>
    )
  return (
    <Callout tone="warn" title="There are no examples.">
      <p>{messageOf(error)}</p>
      <Button variant="default" size="xs" onClick={retry}>
        Try again
      </Button>
    </Callout>
  )
}

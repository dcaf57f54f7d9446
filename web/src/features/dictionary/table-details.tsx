/** One table: what a row is, its columns, and the tables that it is related to. */
import type { DictionaryColumn, DictionaryTable } from '@tributary/contract/dictionary'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { DescriptionList, Panel } from '../../ui/layout/panel.tsx'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { RowActions, RowButton } from '../../ui/tables/row-actions.tsx'
import css from './dictionary.module.css'
import { describedTable, type TableKey } from './dictionary-queries.ts'
import { exampleColumn, ExamplesNote, useExamples } from './examples.tsx'
import { RelatedTables } from './related-tables.tsx'
import { Words } from './words.tsx'
import { WordsForm } from './words-form.tsx'

export function TableDetails({ opened }: { opened: TableKey }) {
  return (
    <QueryResult query={useQuery(describedTable(useOrganisationId(), opened))}>
      {(table) => <Details opened={opened} table={table} />}
    </QueryResult>
  )
}

/** What is being edited: a column, the table itself (null), or nothing. */
type Edited = string | null | undefined

function Details({ opened, table }: { opened: TableKey; table: DictionaryTable }) {
  const mayEdit = useMay()('editDictionary')
  const [edited, setEdited] = useState<Edited>()
  const close = () => setEdited(undefined)
  const examples = useExamples(table)
  const shown = [...meaning, ...exampleColumn(examples), ...facts]
  return (
    <>
      <Panel
        title="What a row is"
        aside={mayEdit && edited !== null ? <DescribeTable onClick={() => setEdited(null)} /> : undefined}
      >
        <Words texts={[table.AdministratorDescription, table.Description]} />
        {edited === null ? (
          <WordsForm opened={opened} column={null} words={table.AdministratorDescription} onClose={close} />
        ) : null}
        <DescriptionList
          items={[
            { label: 'Connector', value: table.ConnectorName },
            { label: 'Stream of the source', value: table.SourceName },
            { label: 'Table', value: table.Schema === '' ? table.Name : `${table.Schema}.${table.Name}`, isCode: true },
          ]}
        />
      </Panel>
      <RelatedTables opened={opened} />
      <ExamplesNote of={examples} />
      <DataTable
        caption={`Columns of ${table.Name}`}
        columns={mayEdit ? [...shown, editColumn(setEdited)] : shown}
        rows={table.Columns}
        rowKey={({ Name }) => Name}
        renderDetail={(column) =>
          column.Name === edited ? (
            <WordsForm opened={opened} column={column.Name} words={column.AdministratorDescription} onClose={close} />
          ) : null
        }
      />
    </>
  )
}

function DescribeTable({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" size="xs" onClick={onClick}>
      Describe this table
    </Button>
  )
}

const meaning: readonly TableColumn<DictionaryColumn>[] = [
  {
    title: 'Column',
    cell: ({ Name }) => (
      <bdi id={idOf(Name)} className={css.name}>
        {Name}
      </bdi>
    ),
  },
  {
    title: 'Meaning',
    cell: ({ AdministratorDescription, Description }) => <Words texts={[AdministratorDescription, Description]} />,
  },
]

const facts: readonly TableColumn<DictionaryColumn>[] = [
  { title: 'Type', cell: ({ Type }) => <code>{Type}</code> },
  { title: 'Key', cell: ({ IsKey, IsNullable }) => (IsKey ? 'Key' : IsNullable ? 'May be empty' : 'Never empty') },
  { title: 'Field of the source', cell: ({ SourceField }) => <bdi>{SourceField}</bdi> },
]

function editColumn(edit: (column: string) => void): TableColumn<DictionaryColumn> {
  return {
    title: 'Actions',
    isActions: true,
    cell: ({ Name }) => (
      <RowActions describedBy={idOf(Name)}>
        <RowButton describedBy={idOf(Name)} onClick={() => edit(Name)}>
          Describe
        </RowButton>
      </RowActions>
    ),
  }
}

/** Id of the element that names a column. */
function idOf(column: string): string {
  return `column-${encodeURIComponent(column)}`
}

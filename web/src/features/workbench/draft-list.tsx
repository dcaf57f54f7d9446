import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WorkbenchDescription } from '@tributary/contract/workbench'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { useUpdateUrlParams } from '../../ui/hooks/search-params.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { RowActions, RowButton } from '../../ui/tables/row-actions.tsx'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { descriptionList, type NewDescription } from './api.ts'
import { DeleteDraftDialog } from './delete-draft-dialog.tsx'
import { NewDraftDialog } from './new-draft-dialog.tsx'

export function DraftList({ onCreated }: { readonly onCreated: (created: NewDescription) => void }) {
  const query = useQuery(descriptionList)
  const invalidate = useInvalidate()
  const updateUrl = useUpdateUrlParams()
  const [isAdding, setAdding] = useState(false)
  const add = <Button onClick={() => setAdding(true)}>New draft</Button>
  return (
    <Page kind="list">
      <QueryResult query={query}>
        {(drafts) =>
          drafts.length === 0 ? (
            <EmptyState kind="first" title="Describe a new source." action={add}>
              A source is one text. The workbench drafts it from an OpenAPI file, a $metadata document or a sample
              reply, shows what it reads, and proves that no row is lost.
            </EmptyState>
          ) : (
            <Panel title="Drafts" aside={add}>
              <DraftTable drafts={drafts} />
            </Panel>
          )
        }
      </QueryResult>
      {isAdding ? (
        <NewDraftDialog
          onClose={() => setAdding(false)}
          onCreated={(created) => {
            onCreated(created)
            void invalidate(descriptionList)
            updateUrl({ draft: created.description.Id })
          }}
        />
      ) : null}
    </Page>
  )
}

function DraftTable({ drafts }: { readonly drafts: readonly WorkbenchDescription[] }) {
  const [deleting, setDeleting] = useState<WorkbenchDescription | null>(null)
  const id = useId()
  return (
    <>
      <DataTable caption="Drafts" rows={drafts} rowKey={({ Id }) => Id} columns={draftColumns(id, setDeleting)} />
      {deleting === null ? null : (
        <DeleteDraftDialog draft={deleting} onClose={() => setDeleting(null)} onDeleted={() => undefined} />
      )}
    </>
  )
}

function draftColumns(
  id: string,
  onDelete: (draft: WorkbenchDescription) => void,
): readonly TableColumn<WorkbenchDescription>[] {
  return [
    {
      title: 'Name',
      cell: ({ Id, Name }) => (
        <Link id={`${id}${Id}`} to={paths.workbenchDraft(Id)}>
          {Name}
        </Link>
      ),
    },
    { title: 'Changed', cell: ({ ChangedAtUtc }) => <RelativeTime at={ChangedAtUtc} /> },
    { title: 'By', cell: ({ ChangedBy }) => ChangedBy ?? 'A deleted user' },
    {
      title: 'Actions',
      isActions: true,
      cell: (draft) => (
        <RowActions describedBy={`${id}${draft.Id}`}>
          <RowButton describedBy={`${id}${draft.Id}`} isDanger onClick={() => onDelete(draft)}>
            Delete
          </RowButton>
        </RowActions>
      ),
    },
  ]
}

import { Button } from '@mantine/core'
import type { SavedQuery } from '@tributary/contract/queries'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'
import { savedQueries, useDeleteQuery } from './query-api.ts'
import css from './queries.module.css'

interface SavedQueriesDrawerProps {
  readonly openId: string | null
  readonly onClose: () => void
}

export function SavedQueriesDrawer({ openId, onClose }: SavedQueriesDrawerProps) {
  const query = useQuery(savedQueries(useOrganisationId()))
  const navigate = useNavigate()
  const remove = useDeleteQuery((queryId) => {
    if (queryId === openId) void navigate(paths.queries)
  })
  return (
    <Dialog kind="drawer" title="Saved queries" subtitle="Yours, and those that others share" onClose={onClose}>
      <MutationError of={remove} />
      <QueryResult query={query}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState kind="first" title="No query is saved yet.">
              Save keeps the query of the editor here. You may share it with your organisation.
            </EmptyState>
          ) : (
            <EntryList>
              {found.map((one) => (
                <EntryListItem
                  key={one.Id}
                  title={one.Name}
                  detail={<Detail query={one} />}
                  action={
                    <span className={css.actions}>
                      <Button component={Link} to={paths.query(one.Id)} variant="default" size="xs" onClick={onClose}>
                        Open
                      </Button>
                      {one.MayDelete ? (
                        <EntryButton
                          aria-label={`Delete ${one.Name}`}
                          disabled={remove.isPending}
                          onClick={() => remove.mutate(one.Id)}
                        >
                          Delete
                        </EntryButton>
                      ) : null}
                    </span>
                  }
                />
              ))}
            </EntryList>
          )
        }
      </QueryResult>
    </Dialog>
  )
}

function Detail({ query: { IsOwn, IsShared, Owner, UpdatedAtUtc } }: { query: SavedQuery }) {
  const owner = IsOwn ? (IsShared ? 'Yours, shared' : 'Yours') : `Shared by ${Owner}`
  return (
    <>
      {`${owner}, saved `}
      <RelativeTime at={UpdatedAtUtc} />
    </>
  )
}

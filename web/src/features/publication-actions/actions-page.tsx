/** What happens after each publication: its actions, the last run of each, and a test. */
import type { PublicationAction } from '@tributary/contract/publication-actions'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '@tributary/client/call-error'
import { useState } from 'react'
import { Link } from 'react-router'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import { paths } from '../../paths.ts'
import { actionList, publicationTargets, useDeleteAction, useRunAction, useTestAction } from './action-queries.ts'
import { describeAction, statusBadges } from './action-words.ts'
import css from './actions.module.css'

const LazyActionDialog = lazyDialog(() => import('./action-dialog.tsx'), 'ActionDialog')
const LazyLogDialog = lazyDialog(() => import('./log-dialog.tsx'), 'LogDialog')
const LazyDeleteDialog = lazyDialog(() => import('../../domain/records/delete-dialog.tsx'), 'DeleteDialog')

type OpenDialog =
  /** Null adds an action. */
  | { readonly kind: 'save'; readonly action: PublicationAction | null }
  | { readonly kind: 'delete' | 'log'; readonly action: PublicationAction }

export function ActionsPage() {
  const query = useQuery(actionList(useOrganisationId()))
  const [opened, setOpened] = useState<OpenDialog | null>(null)
  return (
    <Page kind="form">
      <Panel title="What follows each publication">
        <p className="muted">
          Published views move forward when their rows are proven. Reports and models that hold a copy of the rows can
          follow at once.
        </p>
        <SwitchedOffNote />
        <QueryResult query={query} loading={<SkeletonLines count={2} height={44} />}>
          {(actions) => (
            <>
              {actions.length === 0 ? (
                <EmptyState kind="first" title="Nothing follows yet.">
                  Add a webhook, a refresh of Power BI or a dbt job.
                </EmptyState>
              ) : (
                <EntryList>
                  {actions.map((action) => (
                    <ActionEntry key={action.Id} action={action} onOpen={(kind) => setOpened({ kind, action })} />
                  ))}
                </EntryList>
              )}
              <div>
                <Button
                  variant="default"
                  leftSection={<IconPlus />}
                  onClick={() => setOpened({ kind: 'save', action: null })}
                >
                  Add an action
                </Button>
              </div>
            </>
          )}
        </QueryResult>
        {opened === null ? null : <OpenedDialog opened={opened} onClose={() => setOpened(null)} />}
      </Panel>
    </Page>
  )
}

function SwitchedOffNote() {
  const { data: sets } = useQuery(publicationTargets(useOrganisationId()))
  if (sets === undefined || sets.some(({ State }) => State !== 'off')) return null
  return (
    <Callout tone="info" title="Nothing is published yet.">
      <p>
        Switch publishing on under <Link to={paths.publications}>Publications</Link>. Until then actions run only by
        hand.
      </p>
    </Callout>
  )
}

function OpenedDialog({ opened, onClose }: { opened: OpenDialog; onClose: () => void }) {
  const remove = useDeleteAction()
  const { kind, action } = opened
  if (kind === 'save') return <LazyActionDialog action={action} onClose={onClose} />
  if (kind === 'log') return <LazyLogDialog action={action} onClose={onClose} />
  return (
    <LazyDeleteDialog name={action.Name} onDelete={() => remove(action.Id)} onClose={onClose}>
      <p>It no longer follows publications. Its log is deleted, too.</p>
    </LazyDeleteDialog>
  )
}

interface ActionEntryProps {
  readonly action: PublicationAction
  readonly onOpen: (dialog: OpenDialog['kind']) => void
}

function ActionEntry({ action, onOpen }: ActionEntryProps) {
  const { Id, Kind, Name } = action
  const test = useTestAction(Id)
  const run = useRunAction(Id)
  return (
    <EntryListItem
      title={Name}
      detail={describeAction(action)}
      last={<LastRun of={action.LastRun} />}
      action={
        <div className={css.buttons}>
          {/* Not disabled while it sends, because it would lose the focus. A second click is ignored. */}
          <EntryButton aria-label={`Test ${Name}`} aria-busy={test.isPending} onClick={() => test.mutate()}>
            {test.isPending ? 'Testing…' : 'Test'}
          </EntryButton>
          {/* A webhook has nothing more to run than its test. */}
          {Kind === 'webhook' ? null : (
            <EntryButton aria-label={`Run now: ${Name}`} aria-busy={run.isPending} onClick={() => run.mutate()}>
              Run now
            </EntryButton>
          )}
          <EntryButton aria-label={`Log of ${Name}`} onClick={() => onOpen('log')}>
            Log
          </EntryButton>
          <EntryButton aria-label={`Change ${Name}`} onClick={() => onOpen('save')}>
            Change
          </EntryButton>
          <EntryButton aria-label={`Delete ${Name}`} onClick={() => onOpen('delete')}>
            Delete
          </EntryButton>
        </div>
      }
    >
      <Results action={action} test={test} run={run} />
    </EntryListItem>
  )
}

interface ResultsProps {
  readonly action: PublicationAction
  readonly test: ReturnType<typeof useTestAction>
  readonly run: ReturnType<typeof useRunAction>
}

function Results({ action, test, run }: ResultsProps) {
  const { FailingSinceUtc, LastRun: last } = action
  return (
    <>
      {FailingSinceUtc !== null && last?.Status === 'FAILED' ? (
        <Callout tone="error" title="The last run failed.">
          {last.Notice}
        </Callout>
      ) : null}
      <div aria-live="polite">
        {test.data === undefined || test.isPending ? null : (
          <Callout tone={test.data.Works ? 'ok' : 'error'}>{test.data.Notice}</Callout>
        )}
        {[test.error, run.error].map((error) =>
          error === null ? null : (
            <Callout key={messageOf(error)} tone="error">
              {messageOf(error)}
            </Callout>
          ),
        )}
      </div>
    </>
  )
}

function LastRun({ of }: { of: PublicationAction['LastRun'] }) {
  if (of === null) return <p className="small subtle">It has not run yet.</p>
  const { CreatedAtUtc, EndedAtUtc, Notice, Status } = of
  return (
    <p className={css.last}>
      <StatusBadge {...statusBadges[Status]} />
      <span className="small subtle">
        {EndedAtUtc === null ? 'Since ' : ''}
        <RelativeTime at={EndedAtUtc ?? CreatedAtUtc} />
        {Notice === null || Status === 'FAILED' ? '' : `. ${Notice}`}
      </span>
    </p>
  )
}

/** The log of an action: its runs with their attempts. */
import { useQuery } from '@tanstack/react-query'
import type { PublicationAction, PublicationActionRun } from '@tributary/contract/publication-actions'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { formatCount, formatMoment } from '../../ui/formats.ts'
import { actionRuns } from './action-queries.ts'
import { statusBadges } from './action-words.ts'
import css from './actions.module.css'

export function LogDialog({ action, onClose }: { action: PublicationAction; onClose: () => void }) {
  const runs = useQuery(actionRuns(useOrganisationId(), action.Id))
  return (
    <Dialog
      kind="drawer"
      title={`Log of ${action.Name}`}
      subtitle="Runs, the latest first. They stay for as long as the log of messages."
      onClose={onClose}
      footer={<CancelButton>Close</CancelButton>}
    >
      <QueryResult query={runs}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState kind="first" title="No run yet.">
              The next publication is followed by one.
            </EmptyState>
          ) : (
            <ol className={css.runs} aria-label="Runs">
              {list.map((run) => (
                <RunEntry key={run.Id} run={run} />
              ))}
            </ol>
          )
        }
      </QueryResult>
    </Dialog>
  )
}

const triggers: Readonly<Record<PublicationActionRun['Trigger'], string>> = {
  publication: 'After a publication',
  person: 'Started by a person',
}

function RunEntry({ run }: { run: PublicationActionRun }) {
  const { CreatedAtUtc, DueAtUtc, Log, Notice, Status, Trigger } = run
  return (
    <li className={css.run}>
      <p className={css.last}>
        <StatusBadge {...statusBadges[Status]} />
        <span className="small subtle">{`${triggers[Trigger]}, ${formatMoment(CreatedAtUtc, 'dateTime')}`}</span>
      </p>
      {Notice === null ? null : <p>{Notice}</p>}
      {DueAtUtc === null ? null : <p className="small subtle">{`Next step: ${formatMoment(DueAtUtc, 'dateTime')}`}</p>}
      {Log.length === 0 ? null : (
        <ol className={`${css.attempts} small subtle`} aria-label="Attempts and answers">
          {Log.map(({ AtUtc, DurationMs, Status: code, Notice: answer }) => (
            <li key={AtUtc}>
              {`${formatMoment(AtUtc, 'exact')}: ${answer} (${code === null ? '' : `HTTP ${code}, `}${formatCount(DurationMs)} ms)`}
            </li>
          ))}
        </ol>
      )}
    </li>
  )
}

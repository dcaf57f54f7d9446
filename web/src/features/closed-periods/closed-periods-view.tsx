/** Closed periods of a connector: up to which day they are closed, what has changed in them, and the settings. */
import type { ClosedPeriods } from '@tributary/contract/closed-periods'
import { useQuery } from '@tanstack/react-query'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { useMay } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { formatDay, formatMoment } from '../../ui/formats.ts'
import { CollapsibleSection } from '../../ui/layout/collapsible-section.tsx'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import { closedPeriodState } from './api.ts'
import { ChangeList } from './change-list.tsx'
import css from './closed-periods.module.css'
import { ReportMarks } from './report-marks.tsx'
import { SettingsForm } from './settings-form.tsx'

interface ClosedPeriodsViewProps {
  readonly ids: ConnectorParams
  readonly onRun: (runId: string) => void
}

export function ClosedPeriodsView({ ids, onRun }: ClosedPeriodsViewProps) {
  const query = useQuery(closedPeriodState(ids))
  const mayEdit = useMay()('editConnector')
  return (
    <div className={css.view}>
      <QueryResult query={query}>
        {(state) => (
          <>
            {state.IsOn ? <Summary state={state} /> : <SwitchedOff mayEdit={mayEdit} />}
            {mayEdit ? (
              <CollapsibleSection title="Settings" summary={state.IsOn ? 'Changes are listed' : 'Switched off'}>
                <SettingsForm key={String(state.IsOn)} ids={ids} state={state} />
              </CollapsibleSection>
            ) : null}
            {state.IsOn || state.Open > 0 ? <ChangeList ids={ids} mayAcknowledge={mayEdit} onRun={onRun} /> : null}
            {state.ExaminedUpToUtc !== null ? (
              <ReportMarks ids={ids} mayEdit={mayEdit} hasLedger={state.HasLedger} />
            ) : null}
            {state.Dates.length === 0 ? null : <MovedDates state={state} />}
          </>
        )}
      </QueryResult>
    </div>
  )
}

function SwitchedOff({ mayEdit }: { mayEdit: boolean }) {
  return (
    <EmptyState kind="first" title="Closed periods are not watched.">
      {mayEdit
        ? 'Switch them on, and each run lists the documents that were added, changed, voided or deleted in a month that is closed.'
        : 'An administrator can switch them on.'}
    </EmptyState>
  )
}

const closedByWords = {
  source: 'the lock date of the source',
  administrator: 'the date that an administrator has set',
  mark: 'a period that is marked as reported',
} as const

function Summary({ state }: { state: ClosedPeriods }) {
  const { ClosedThrough, ClosedBy, ExaminedUpToUtc, SinceUtc, Notice } = state
  return (
    <div className={css.states}>
      {Notice === null ? null : <Callout tone="warn">{Notice}</Callout>}
      <p>
        {ClosedThrough === null
          ? 'Nothing is closed yet. Set a lock date in the source, or a date below.'
          : `Closed up to ${formatDay(ClosedThrough, 'longDate')}${ClosedBy === null ? '' : `, by ${closedByWords[ClosedBy]}`}.`}
      </p>
      <p className="small muted">
        {ExaminedUpToUtc === null || SinceUtc === null
          ? 'The next run of all tables begins. Changes are listed from the run after it.'
          : `Examined from ${formatMoment(SinceUtc, 'dateTime')} up to the run of ${formatMoment(ExaminedUpToUtc, 'dateTime')}. Each run is compared with the one before it: changes between two runs that cancel each other out cannot be seen. A new closing day counts from the first run that sees it.`}
      </p>
    </div>
  )
}

function MovedDates({ state }: { state: ClosedPeriods }) {
  return (
    <DrawerSection title="How the closing day moved">
      <ul className={css.moved}>
        {state.Dates.map(({ From, To, SeenAtUtc }) => (
          <li key={SeenAtUtc}>
            {`${From === null ? 'Nothing closed' : formatDay(From, 'longDate')} → ${To === null ? 'nothing closed' : formatDay(To, 'longDate')}, `}
            seen <RelativeTime at={SeenAtUtc} />
          </li>
        ))}
      </ul>
    </DrawerSection>
  )
}

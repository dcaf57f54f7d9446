/** *Ready by* of a connector: whether promises were kept, the next one with its planned start, and the wishes. */
import type { ConnectorReadyBy, MissedPromise, NextPromise } from '@tributary/contract/ready-by'
import { useQuery } from '@tanstack/react-query'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { useMay } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { ScheduledTime } from '../../domain/time/relative-time.tsx'
import { LinkButton } from '../../ui/display/link-button.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import { ConnectorWishForm } from './connector-wish-form.tsx'
import { OrganisationPromises } from '../../domain/ready-by/organisation-promises.tsx'
import { describeCounts } from '../../domain/ready-by/promise-words.ts'
import { readyByOf } from '../../domain/ready-by/ready-by-queries.ts'
import { describeWish, reasonWords } from '../../domain/ready-by/ready-by-words.ts'
import css from '../../domain/ready-by/ready-by.module.css'

interface ReadyByViewProps {
  readonly ids: ConnectorParams
  readonly onRun: (runId: string) => void
}

export function ReadyByView({ ids, onRun }: ReadyByViewProps) {
  const query = useQuery(readyByOf(ids))
  const may = useMay()
  return (
    <div className={css.view}>
      <QueryResult query={query}>
        {(readyBy) => (
          <>
            <State readyBy={readyBy} onRun={onRun} />
            {readyBy.Missed.length === 0 ? null : <MissedList readyBy={readyBy} onRun={onRun} />}
            {may('editConnector') ? (
              <DrawerSection title="Time of the connector">
                <ConnectorWishForm key={JSON.stringify([readyBy.Follows, readyBy.Wish])} ids={ids} readyBy={readyBy} />
              </DrawerSection>
            ) : null}
          </>
        )}
      </QueryResult>
      <OrganisationSection clientId={ids.clientId} />
    </div>
  )
}

function State({ readyBy, onRun }: { readonly readyBy: ConnectorReadyBy } & Pick<ReadyByViewProps, 'onRun'>) {
  const { Wish, TimeZone, Next, Counts } = readyBy
  if (Wish === null)
    return (
      <Callout tone="info" title="No time is set">
        <p>
          Say by when the rows must be ready. Tributary plans the start backwards from how long runs take, and warns you
          before a time that it cannot keep.
        </p>
      </Callout>
    )
  return (
    <>
      <p>{`${describeWish(Wish, TimeZone)}. ${describeCounts(Counts)}.`}</p>
      {Next === null ? (
        <p className="muted">The next start is being planned.</p>
      ) : (
        <NextLine next={Next} timeZone={TimeZone} onRun={onRun} />
      )}
    </>
  )
}

interface NextLineProps extends Pick<ReadyByViewProps, 'onRun'> {
  readonly next: NextPromise
  readonly timeZone: string
}

function NextLine({ next, timeZone, onRun }: NextLineProps) {
  const { DueAtUtc, StartAtUtc, StartedAtUtc, RunId, Obstacle, Notice } = next
  return (
    <>
      {Obstacle === null ? null : (
        <Callout tone="warn" title="It will not be ready in time">
          <p>{Notice}</p>
        </Callout>
      )}
      <p>
        Next: <ScheduledTime at={DueAtUtc} timeZone={timeZone} />
        {StartAtUtc === null ? null : (
          <>
            , planned start <ScheduledTime at={StartAtUtc} timeZone={timeZone} />
          </>
        )}
        {StartedAtUtc === null ? '.' : '. The run that brings the rows has begun. '}
        {RunId === null ? null : <LinkButton onClick={() => onRun(RunId)}>See the run</LinkButton>}
      </p>
    </>
  )
}

function MissedList({ readyBy, onRun }: { readonly readyBy: ConnectorReadyBy } & Pick<ReadyByViewProps, 'onRun'>) {
  return (
    <DrawerSection title="Missed in 30 days">
      <ol className={css.missed} aria-label="Missed times, latest first">
        {readyBy.Missed.map((missed) => (
          <MissedItem key={missed.DueAtUtc} missed={missed} timeZone={readyBy.TimeZone} onRun={onRun} />
        ))}
      </ol>
    </DrawerSection>
  )
}

interface MissedItemProps extends Pick<ReadyByViewProps, 'onRun'> {
  readonly missed: MissedPromise
  readonly timeZone: string
}

function MissedItem({ missed: { DueAtUtc, ReadyAtUtc, Reason, Notice, RunId }, timeZone, onRun }: MissedItemProps) {
  return (
    <li className={css.item}>
      <p>
        <strong>
          <ScheduledTime at={DueAtUtc} timeZone={timeZone} hasDate />
        </strong>
        {`: ${reasonWords[Reason]}. `}
        {ReadyAtUtc === null ? (
          'Not ready since.'
        ) : (
          <>
            Ready <ScheduledTime at={ReadyAtUtc} timeZone={timeZone} />.
          </>
        )}
      </p>
      {Notice === null ? null : <p className="small muted">{Notice}</p>}
      {RunId === null ? null : <LinkButton onClick={() => onRun(RunId)}>See the run</LinkButton>}
    </li>
  )
}

function OrganisationSection({ clientId }: { readonly clientId: string }) {
  return (
    <DrawerSection title="Time of the organisation">
      <OrganisationPromises clientId={clientId} />
    </DrawerSection>
  )
}

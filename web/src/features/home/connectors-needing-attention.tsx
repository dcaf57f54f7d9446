import type { Connector } from '@tributary/contract/connectors'
import { Link } from 'react-router'
import { attentionReason } from '../../domain/connectors/connector-state.ts'
import { paths } from '../../paths.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { ClockTime } from '../../domain/time/relative-time.tsx'
import { useNow } from '../../domain/time/use-now.ts'
import css from './home.module.css'

const maxConnectors = 5

/** Lists the connectors that need a person, each linked to its problem. */
export function ConnectorsNeedingAttention({ connectors }: { connectors: readonly Connector[] }) {
  const time = useNow(15_000)
  if (connectors.length === 0) return null
  const title = connectors.length === 1 ? '1 connector needs you' : `${connectors.length} connectors need you`
  return (
    <div className={css.attention}>
      <Callout tone="warn" title={title}>
        <ul>
          {connectors.slice(0, maxConnectors).map((connector) => (
            <li key={connector.Id}>
              <AttentionReason connector={connector} time={time} />
            </li>
          ))}
        </ul>
        {connectors.length > maxConnectors ? <p>{`and ${connectors.length - maxConnectors} more`}</p> : null}
      </Callout>
    </div>
  )
}

function AttentionReason({ connector, time }: { connector: Connector; time: number }) {
  const { Id, Name, Type, Log, TargetDownSinceUtc, PendingChanges } = connector
  const need = attentionReason(connector, time)
  if (need === 'tieOut') {
    return (
      <>
        <Link to={`${paths.run(Type, Id, null)}&view=tieOut`}>{Name}</Link>
        <span>: its tables do not tie out with the source’s own report.</span>
      </>
    )
  }
  if (need === 'changes') {
    return (
      <>
        <Link to={`${paths.run(Type, Id, null)}&view=changes`}>{Name}</Link>
        <span>{`: ${PendingChanges === 1 ? '1 schema change waits' : `${PendingChanges} schema changes wait`} for your decision.`}</span>
      </>
    )
  }
  return (
    <>
      <Link to={paths.run(Type, Id, Log?.RunId ?? null)}>{Name}</Link>
      {TargetDownSinceUtc === null ? null : (
        <span>
          {': the target has not answered since '}
          <ClockTime at={TargetDownSinceUtc} />.
        </span>
      )}
      {Log === null || Log.Notice === null ? null : (
        <span>{`${TargetDownSinceUtc === null ? ':' : ''} ${Log.Notice}`}</span>
      )}
    </>
  )
}

import type { OverviewConnector } from '@tributary/contract/overview'
import { Link } from 'react-router'
import { Callout } from '../../ui/feedback/callout.tsx'
import { problemPath } from './connector-links.ts'
import { needsHelp } from './overview-states.ts'
import css from './home.module.css'

const maxConnectors = 5

/** Names the connectors that need a person, each linked to its problem. The overview below says what is wrong. */
export function AttentionCallout({ connectors }: { connectors: readonly OverviewConnector[] }) {
  const needing = connectors.filter(needsHelp)
  if (needing.length === 0) return null
  const title = needing.length === 1 ? '1 connector needs you' : `${needing.length} connectors need you`
  return (
    <div className={css.attention}>
      <Callout tone="warn" title={title}>
        <ul className={css.needing}>
          {needing.slice(0, maxConnectors).map((connector) => (
            <li key={connector.Id}>
              <Link to={problemPath(connector)}>{connector.Name}</Link>
            </li>
          ))}
          {needing.length > maxConnectors ? (
            <li>
              <a href="#overview">{`and ${needing.length - maxConnectors} more`}</a>
            </li>
          ) : null}
        </ul>
      </Callout>
    </div>
  )
}

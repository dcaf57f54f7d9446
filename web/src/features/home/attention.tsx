import type { Connector } from '@tributary/contract/connectors'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Note } from '../../ui/note.tsx'
import css from './home.module.css'

const shownMax = 5

/** The connectors that wait for a person, with the way to what went wrong. */
export function Attention({ connectors }: { connectors: readonly Connector[] }) {
  if (connectors.length === 0) return null
  const title = connectors.length === 1 ? '1 connector needs you' : `${connectors.length} connectors need you`
  return (
    <div className={css.attention}>
      <Note tone="warn" title={title}>
        <ul>
          {connectors.slice(0, shownMax).map(({ Id, Name, Type, Log }) => (
            <li key={Id}>
              <Link to={paths.run(Type, Id, Log?.RunId ?? null)}>{Name}</Link>
              {Log?.Notice == null ? null : <span> {Log.Notice}</span>}
            </li>
          ))}
        </ul>
        {connectors.length > shownMax ? <p>{`and ${connectors.length - shownMax} more`}</p> : null}
      </Note>
    </div>
  )
}

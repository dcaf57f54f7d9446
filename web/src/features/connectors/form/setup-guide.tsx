import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { type ReactNode, useId } from 'react'
import css from './setup-guide.module.css'
import { Statement } from './sql-statement.tsx'

interface WithGuideProps {
  readonly type: ConnectorType
  readonly children: ReactNode
}

/** A form, and beside it where its values are found; where people sign in at the source, there are none to find. */
export function WithGuide({ type, children }: WithGuideProps) {
  if (type.RequiresAuthorisation) return <div className={css.form}>{children}</div>
  return (
    <div className={css.split}>
      <div className={css.form}>{children}</div>
      <Guide type={type} />
    </div>
  )
}

/** Where in the source the settings are found, step by step. */
function Guide({ type: { Title, Needs, Guide: steps } }: { type: ConnectorType }) {
  const id = useId()
  return (
    <aside className={css.guide} aria-labelledby={id}>
      <h3 id={id}>Where do I find this?</h3>
      <p>{Needs}</p>
      {steps.length === 0 ? null : (
        <ol className={css.steps} aria-label={`Steps for ${Title}`}>
          {steps.map((step) => (
            <li key={step}>
              <Statement sentence={step} />
            </li>
          ))}
        </ol>
      )}
    </aside>
  )
}

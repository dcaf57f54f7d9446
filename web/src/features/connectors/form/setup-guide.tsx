import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { type ReactNode, useId } from 'react'
import css from './setup-guide.module.css'
import { SqlStatement } from './sql-statement.tsx'

interface WithSetupGuideProps {
  readonly type: ConnectorType
  readonly children: ReactNode
}

/**
 * The form next to its setup guide. Types that use OAuth need no guide, because their form asks for no credentials.
 */
export function WithSetupGuide({ type, children }: WithSetupGuideProps) {
  if (type.RequiresAuthorisation) return <div className={css.form}>{children}</div>
  return (
    <div className={css.split}>
      <div className={css.form}>{children}</div>
      <SetupGuide type={type} />
    </div>
  )
}

/** Steps to find the settings in the source. */
function SetupGuide({ type: { Title, Needs, Guide: steps } }: { type: ConnectorType }) {
  const id = useId()
  return (
    <aside className={css.guide} aria-labelledby={id}>
      <h3 id={id}>Where do I find this?</h3>
      <p>{Needs}</p>
      {steps.length === 0 ? null : (
        <ol className={css.steps} aria-label={`Steps for ${Title}`}>
          {steps.map((step) => (
            <li key={step}>
              <SqlStatement sentence={step} />
            </li>
          ))}
        </ol>
      )}
    </aside>
  )
}

/** The checks of a connection test, each with a remedy if it failed. */
import type { CheckResult } from '@tributary/contract/connectors'
import { IconCircleMinus, IconCircleX } from '@tabler/icons-react'
import { IconCircleCheck } from '@tabler/icons-react/visitor-icons'
import css from './connection-checks.module.css'
import { CopyButton } from '../../ui/display/copy-button.tsx'

const icons = { passed: IconCircleCheck, failed: IconCircleX, skipped: IconCircleMinus }

export function ConnectionChecks({ checks }: { checks: readonly Omit<CheckResult, 'Side'>[] }) {
  const hasFailed = checks.some(({ Outcome }) => Outcome === 'failed')
  return (
    <div aria-live="polite" className={css.results}>
      <h3>{hasFailed ? 'The connection does not work yet.' : 'The connection works.'}</h3>
      <ul>
        {checks.map(({ Name, Outcome, Notice, Remedy }) => {
          const Icon = icons[Outcome]
          return (
            <li key={Name} className={css.line} data-outcome={Outcome}>
              <Icon size={18} stroke={1.75} />
              <span>{Name}</span>
              <span className={css.outcome}>{Outcome}</span>
              {Notice === null ? null : <p className={css.notice}>{Notice}</p>}
              {Remedy === null ? null : (
                <span className={css.remedy}>
                  <code>{Remedy}</code>
                  <CopyButton text={Remedy} what="statement" />
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

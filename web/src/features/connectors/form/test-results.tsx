import type { CheckResult } from '@tributary/contract/connectors'
import { IconCircleMinus, IconCircleX } from '@tabler/icons-react'
import { IconCircleCheck } from '@tabler/icons-react/visitor-icons'
import css from '../connectors.module.css'
import { SqlStatement } from './sql-statement.tsx'
import { useScrollIntoView } from '../../../ui/hooks/use-scroll-into-view.ts'

const outcomeIcons = { passed: IconCircleCheck, failed: IconCircleX, skipped: IconCircleMinus }
const sideLabels = { source: 'Source', target: 'Target' } as const

/** Results of 'Test connection', each with a remedy if it failed. */
export function TestResults({ results }: { results: readonly CheckResult[] }) {
  const box = useScrollIntoView<HTMLDivElement>(results)
  const failed = results.some(({ Outcome }) => Outcome === 'failed')
  return (
    <div ref={box} aria-live="polite" className={css.rest}>
      <h3>{failed ? 'The connection does not work yet.' : 'The connection works.'}</h3>
      <ul className={css.checks}>
        {results.map((result) => (
          <CheckResultItem key={`${result.Side} ${result.Name}`} result={result} />
        ))}
      </ul>
    </div>
  )
}

function CheckResultItem({ result: { Side, Name, Outcome, Notice, Remedy } }: { result: CheckResult }) {
  const Icon = outcomeIcons[Outcome]
  return (
    <li className={css.check} data-outcome={Outcome}>
      <Icon size={18} stroke={1.75} />
      <p>
        {sideLabels[Side]}: {Name}
      </p>
      <span className={css.outcome}>{Outcome}</span>
      {Notice === null ? null : (
        <div className={css.notice}>
          <SqlStatement sentence={Notice} remedy={Remedy} />
        </div>
      )}
    </li>
  )
}

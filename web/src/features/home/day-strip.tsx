/** A strip with one bar for each of the last days: its height and its colour both show how the day’s runs ended. */
import type { DayOutcome } from '@tributary/contract/overview'
import css from './overview.module.css'

/** In units of the view box. */
const barWidth = 4
const step = 6
const height = 20
const barHeights: Readonly<Record<DayOutcome, number>> = { completed: 20, partly: 13, failed: 7, none: 2 }

export const outcomeLabels: Readonly<Record<DayOutcome, string>> = {
  completed: 'all runs completed',
  partly: 'some failed',
  failed: 'all failed',
  none: 'no run',
}

/** In the order of the legend. */
export const shownOutcomes = ['completed', 'partly', 'failed', 'none'] as const satisfies readonly DayOutcome[]

export function countDays(days: readonly DayOutcome[], outcome: DayOutcome): number {
  return days.filter((day) => day === outcome).length
}

export function DayStrip({ days }: { days: readonly DayOutcome[] }) {
  return (
    <span className={css.strip}>
      <svg viewBox={`0 0 ${days.length * step - (step - barWidth)} ${height}`} preserveAspectRatio="none" aria-hidden>
        {shownOutcomes.map((outcome) => (
          <path key={outcome} data-outcome={outcome} d={drawBars(days, outcome)} />
        ))}
      </svg>
      <span className="visually-hidden">{summariseDays(days)}</span>
    </span>
  )
}

/** One path for all days with the outcome, so that a thousand strips are cheap. */
function drawBars(days: readonly DayOutcome[], outcome: DayOutcome): string {
  const tall = barHeights[outcome]
  return days
    .map((day, index) => (day === outcome ? `M${index * step} ${height - tall}h${barWidth}v${tall}h-${barWidth}z` : ''))
    .join('')
}

/** Formats '27 days all runs completed, 2 days some failed, 1 day no run'. */
export function summariseDays(days: readonly DayOutcome[]): string {
  return shownOutcomes
    .map((outcome) => [countDays(days, outcome), outcomeLabels[outcome]] as const)
    .filter(([count]) => count > 0)
    .map(([count, label]) => `${count === 1 ? '1 day' : `${count} days`} ${label}`)
    .join(', ')
}

/** Explains heights and colours of all strips. */
export function DayStripLegend() {
  return (
    <ul className={css.legend} aria-label="Bars of the last 30 days">
      {shownOutcomes.map((outcome) => (
        <li key={outcome}>
          <svg viewBox={`0 0 ${barWidth} ${height}`} width={6} height={14} preserveAspectRatio="none" aria-hidden>
            <path data-outcome={outcome} d={drawBars([outcome], outcome)} />
          </svg>
          {outcomeLabels[outcome]}
        </li>
      ))}
    </ul>
  )
}

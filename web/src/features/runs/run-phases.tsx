import { type RunPhase, runPhases } from './run-status.ts'
import css from './runs.module.css'

/** Phases of the run, up to the one reached or stopped in. */
export function RunPhases({ phase, hasStopped }: { phase: RunPhase; hasStopped: boolean }) {
  const reached = runPhases.indexOf(phase)
  return (
    <ol className={css.phases} aria-label="Phases" data-stopped={hasStopped || undefined}>
      {runPhases.map((name, index) => (
        <li key={name} data-place={phasePosition(index, reached)} aria-current={index === reached ? 'step' : undefined}>
          {name}
        </li>
      ))}
    </ol>
  )
}

function phasePosition(index: number, reached: number): 'past' | 'present' | 'ahead' {
  if (index === reached) return index === runPhases.length - 1 ? 'past' : 'present'
  return index < reached ? 'past' : 'ahead'
}

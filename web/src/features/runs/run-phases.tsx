import { type Phase, phases } from './run-status.ts'
import css from './runs.module.css'

/** How far the run has come; where it stopped, if it did. */
export function PhaseLine({ phase, hasStopped }: { phase: Phase; hasStopped: boolean }) {
  const reached = phases.indexOf(phase)
  return (
    <ol className={css.phases} aria-label="Phases" data-stopped={hasStopped || undefined}>
      {phases.map((name, index) => (
        <li key={name} data-place={place(index, reached)} aria-current={index === reached ? 'step' : undefined}>
          {name}
        </li>
      ))}
    </ol>
  )
}

function place(index: number, reached: number): 'past' | 'present' | 'ahead' {
  if (index === reached) return index === phases.length - 1 ? 'past' : 'present'
  return index < reached ? 'past' : 'ahead'
}

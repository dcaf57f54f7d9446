import { IconCheck } from '@tabler/icons-react'
import css from './groups.module.css'
import { type Step, steps } from './wizard-search-params.ts'

const words: Readonly<Record<Step, string>> = {
  area: '1. Areas',
  areaFlipped: '2. Subareas',
  version: '3. Versions & Milestones',
}

/** How far one is. The check mark at the end is where it leads. */
export function WizardHeader({ step }: { step: Step }) {
  return (
    <ol className={css.steps} aria-label="Steps">
      {steps.map((each) => (
        <li
          key={each}
          className={css.step}
          data-done={steps.indexOf(each) < steps.indexOf(step) || undefined}
          {...(each === step && { 'aria-current': 'step' })}
        >
          {words[each]}
        </li>
      ))}
      <li className={css.step}>
        <IconCheck size={18} stroke={2} aria-hidden />
        <span className="visually-hidden">Done</span>
      </li>
    </ol>
  )
}

import { IconCheck } from '@tabler/icons-react'
import css from './groups.module.css'
import { type WizardStepName, wizardSteps } from './wizard-search-params.ts'

const stepLabels: Readonly<Record<WizardStepName, string>> = {
  area: '1. Areas',
  areaFlipped: '2. Subareas',
  version: '3. Versions & Milestones',
}

/** Progress of the wizard. The check mark at the end stands for saving. */
export function WizardHeader({ step }: { step: WizardStepName }) {
  return (
    <ol className={css.steps} aria-label="Steps">
      {wizardSteps.map((each) => (
        <li
          key={each}
          className={css.step}
          data-done={wizardSteps.indexOf(each) < wizardSteps.indexOf(step) || undefined}
          {...(each === step && { 'aria-current': 'step' })}
        >
          {stepLabels[each]}
        </li>
      ))}
      <li className={css.step}>
        <IconCheck size={18} stroke={2} />
        <span className="visually-hidden">Done</span>
      </li>
    </ol>
  )
}

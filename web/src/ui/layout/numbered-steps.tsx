import css from './numbered-steps.module.css'

/** What to do, in order. */
export function NumberedSteps({ label, steps }: { label: string; steps: readonly string[] }) {
  return (
    <ol className={css.steps} aria-label={label}>
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  )
}

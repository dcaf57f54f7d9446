import { type ReactNode, useId } from 'react'
import css from '../connectors.module.css'

/** A titled section of the connector form. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={css.section} aria-labelledby={id}>
      <h3 className={css.heading} id={id}>
        {title}
      </h3>
      {children}
    </section>
  )
}

import type { ReactNode } from 'react'
import css from './radio-group.module.css'

/** Fields under one legend, which looks like the label of a field. */
export function FieldGroup({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className={css.choice}>
      <legend className={css.legend}>{legend}</legend>
      {children}
    </fieldset>
  )
}

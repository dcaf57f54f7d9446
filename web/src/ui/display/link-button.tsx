/** A button that looks like a link: it opens something on the same page. */
import type { ReactNode } from 'react'
import css from './link-button.module.css'

export function LinkButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={css.button} onClick={onClick}>
      {children}
    </button>
  )
}

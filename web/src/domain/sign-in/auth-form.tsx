import type { ReactNode } from 'react'
import css from './auth-page.module.css'

/** The form of a page before sign-in. Our fields validate it, not the browser. */
export function AuthForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}

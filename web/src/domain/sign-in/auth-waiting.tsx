import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './auth-page.module.css'

/** A spinner on a page before sign-in that waits for the server. */
export function AuthWaiting({ children }: { children: ReactNode }) {
  return (
    <output className={css.waiting}>
      <Loader size={18} aria-hidden />
      {children}
    </output>
  )
}

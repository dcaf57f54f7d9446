import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './auth-page.module.css'

/** A page before signing in that waits for the server. */
export function Waiting({ children }: { children: ReactNode }) {
  return (
    <output className={css.waiting}>
      <Loader size={18} aria-hidden />
      {children}
    </output>
  )
}

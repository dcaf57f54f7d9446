import { Loader } from '@mantine/core'
import css from './loads.module.css'

/** Says what is in progress. */
export function ProgressNote({ children }: { children: string }) {
  return (
    <output className={css.busy}>
      <Loader size={18} aria-hidden />
      {children}
    </output>
  )
}

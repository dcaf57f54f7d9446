import type { ReactNode } from 'react'
import { useScrollIntoView } from '../../ui/hooks/use-scroll-into-view.ts'

/** Scrolls its content into view on mount, because a result may be rendered far above or below its button. */
export function ScrollIntoView({ children }: { children: ReactNode }) {
  return <div ref={useScrollIntoView<HTMLDivElement>('mount')}>{children}</div>
}

import { Button } from '@mantine/core'
import css from './pager.module.css'
import { formatCount } from '../formats.ts'

interface PagerProps {
  label: string
  page: number
  pages: number
  onPage: (page: number) => void
  /** The labels of the two buttons. */
  words?: readonly [previous: string, next: string]
}

/** Pagination controls. Renders nothing if there is only one page. */
export function Pager({ label, page, pages, onPage, words = ['Previous', 'Next'] }: PagerProps) {
  if (pages <= 1) return null
  const [previous, next] = words
  return (
    <nav className={css.pager} aria-label={label}>
      <Button variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {previous}
      </Button>
      <span className="small subtle num">{`Page ${formatCount(page)} of ${formatCount(pages)}`}</span>
      <Button variant="default" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {next}
      </Button>
    </nav>
  )
}

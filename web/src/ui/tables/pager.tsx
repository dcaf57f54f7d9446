import { Button } from '@mantine/core'
import { count } from './data-table.tsx'
import css from './pager.module.css'

interface PagerProps {
  label: string
  page: number
  pages: number
  onPage: (page: number) => void
  /** What the ways back and forth are called. */
  words?: readonly [back: string, forth: string]
}

/** Nothing, where all fits on one page. */
export function Pager({ label, page, pages, onPage, words = ['Previous', 'Next'] }: PagerProps) {
  if (pages <= 1) return null
  const [back, forth] = words
  return (
    <nav className={css.pager} aria-label={label}>
      <Button variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {back}
      </Button>
      <span className="small subtle num">{`Page ${count(page)} of ${count(pages)}`}</span>
      <Button variant="default" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {forth}
      </Button>
    </nav>
  )
}

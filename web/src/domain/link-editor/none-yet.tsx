/** Says that there are no records yet, with a link to the page where they are added. */
import { Link } from 'react-router'
import type { LinkNoun } from './links.ts'

export function NoneYet({ noun: { title, page } }: { noun: LinkNoun }) {
  const many = title.toLowerCase()
  return (
    <>
      {`There are no ${many} yet. `}
      {page === undefined ? null : <Link to={page}>{`Add ${many}`}</Link>}
    </>
  )
}
